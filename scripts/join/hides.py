import sys,subprocess,json,collections,pathlib
root=pathlib.Path(sys.argv[1]); rooms=sys.argv[2:]
def tags(dirs,exts):
    files=[str(p.relative_to(root)) for r in dirs for p in sorted((root/r).rglob("*")) if p.suffix in exts]
    out=subprocess.run(["ctags","--output-format=json","--fields=+neKS","--kinds-C++=+pdfsuectgnvx","--language-force=C++","-f","-",*files],cwd=root,capture_output=True,text=True,check=True).stdout
    return [t for t in map(json.loads,out.splitlines()) if t.get("_type")=="tag" and t.get("scopeKind")=="namespace" and t["kind"] not in("enumerator","member","namespace")]
spoken=collections.defaultdict(list)
for t in tags(["harness/"+r for r in("core","support","machine","cuda","libtorch")],{".hpp"}):
    if "__anon" not in t["scope"]: spoken[t["name"]].append((t["path"],t["kind"],t.get("signature","")))
for r in rooms:
    for t in tags([r],{".cpp"}):
        if "__anon" in t["scope"] and t["name"] in spoken:
            users=[str(p.name) for p in (root/r).rglob("*.cpp") if p.name!=pathlib.Path(t["path"]).name and __import__("re").search(rf"\b{t['name']}\b\s*[({{]",p.read_text())]
            print(t["path"],t["name"],t["kind"],t.get("signature"),"hides",spoken[t["name"]][:2],"USED in",users)
