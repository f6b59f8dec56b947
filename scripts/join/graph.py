"""graph.py TREE [room=newroom ...]: includes between the rooms of harness, and whether the joined list has a cycle."""
import sys, re, pathlib, collections, graphlib
root=pathlib.Path(sys.argv[1]); m=dict(a.split("=") for a in sys.argv[2:] if "=" in a)
g=collections.defaultdict(lambda: collections.defaultdict(list)); files=collections.Counter(); lines=collections.Counter()
for p in (root/"harness").rglob("*"):
    if p.suffix in {".hpp",".cpp",".cu",".cuh"}:
        r=p.relative_to(root/"harness").parts[0]; r=m.get(r,r); files[r]+=1; t=p.read_text(); lines[r]+=t.count("\n")
        for f in re.findall(r'#\s*include\s*[<"]harness/(\w+)/([^>"]+)',t):
            o=m.get(f[0],f[0])
            if o!=r: g[r][o].append((p.name,f[1]))
try:
    order=list(graphlib.TopologicalSorter({r:set(g[r]) for r in files}).static_order()); print("no cycle; an order:",*order)
except graphlib.CycleError as e: print("CYCLE",e.args[1]); order=sorted(files)
for r in order: print(f"{r:12} {files[r]:4} files {lines[r]:6} lines <-", {o:len(v) if len(v)>3 else v for o,v in g[r].items()})
print(len(files),"rooms",sum(files.values()),sum(lines.values()))
