import sys,subprocess,json,re,pathlib
root=pathlib.Path(sys.argv[1])
for room in sys.argv[2:]:
    files=sorted(p for p in (root/room).rglob("*") if p.suffix in{".cpp",".hpp"})
    out=subprocess.run(["ctags","--output-format=json","--fields=+neKS","--kinds-C++=+pdfsuectgnvxlz","--language-force=C++","-f","-",*[str(p.relative_to(root)) for p in files]],cwd=root,capture_output=True,text=True,check=True).stdout
    tags=[t for t in map(json.loads,out.splitlines()) if t.get("_type")=="tag"]
    g={}
    for t in tags:
        if t["kind"] in("variable","using","typedef","struct","class","enum") and (t.get("scopeKind") in("namespace",None)) : g.setdefault(t["name"],set()).add(t["path"])
    for p in files:
        for m in re.finditer(r"(?m)^\s*using (?:\w+::)+(\w+);",p.read_text()): g.setdefault(m[1],set()).add(str(p.relative_to(root)))
    for t in tags:
        if t["kind"] in("local","parameter") and t["name"] in g and t["path"] not in g[t["name"]]:
            print(room,t["path"],t["line"],t["kind"],t["name"],"shadows",sorted(g[t["name"]]))
