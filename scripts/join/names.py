"""names.py TREE room[+room...] ...: names that two rooms define at namespace level (headers and sources), and doubles in anonymous namespaces."""
import sys,subprocess,json,collections,pathlib
root=pathlib.Path(sys.argv[1])
def tags(rooms):
    files=[str(p.relative_to(root)) for r in rooms for p in sorted((root/r).rglob("*")) if p.suffix in {".cpp",".hpp",".cu",".cuh"}]
    out=subprocess.run(["ctags","--output-format=json","--fields=+neKS","--kinds-C++=+pdfsuectgnvx","--language-force=C++","-f","-",*files],cwd=root,capture_output=True,text=True,check=True).stdout
    for l in out.splitlines():
        t=json.loads(l)
        if t.get("_type")=="tag": yield t
for arg in sys.argv[2:]:
    rooms=arg.split("+"); print("=====",arg)
    public=collections.defaultdict(set); anon=collections.defaultdict(set)
    for t in tags(rooms):
        if t["kind"] in ("namespace","enumerator","member","parameter","local","header","macro","using"): continue
        sk=t.get("scopeKind"); sc=t.get("scope","")
        if sk!="namespace": continue
        room=next(r for r in rooms if t["path"].startswith(r+"/"))
        if "__anon" in sc: anon[(t["name"])].add((t["path"],t["kind"],t.get("signature","")))
        else: public[t["name"]].add((room,t["path"],t["kind"],t.get("signature","")))
    for n,w in sorted(public.items()):
        if len({x[0] for x in w})>1: print("PUBLIC",n,*[f"\n      {x[1]} {x[2]} {x[3]}" for x in sorted(w)])
    for n,w in sorted(anon.items()):
        if len({x[0] for x in w})>1: print("ANON",n,*[f"\n      {x[0]} {x[1]} {x[2]}" for x in sorted(w)])
        rooms_p={x[0] for x in public.get(n,())}
        for a in w:
            r=next(r for r in rooms if a[0].startswith(r+"/"))
            if rooms_p-{r}: print("HIDES",n,a,[(x[1],x[3]) for x in public[n] if x[0]!=r])
