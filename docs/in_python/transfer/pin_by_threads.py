# needs: cuda
# same: total
# note: Best of all is one pinned tensor for each thread, made once; write to it again only when its copy has run.
from concurrent.futures import ThreadPoolExecutor

import torch

requests = [torch.ones(4096) for _ in range(64)]

# before
def serve(request):
    return request.pin_memory().to("cuda", non_blocking=True)  # they wait in a queue
with ThreadPoolExecutor(8) as threads:
    total = sum(x.sum() for x in threads.map(serve, requests))

# after
def serve(request):
    return request.to("cuda")
with ThreadPoolExecutor(8) as threads:
    total = sum(x.sum() for x in threads.map(serve, requests))
