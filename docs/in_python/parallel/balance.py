# note: Weight each rank's loss by its part of the tokens, since the ranks' gradients are averaged as if all were equal.
lengths, ranks, rank = [512, 16, 480, 32, 256, 128, 384, 64], 2, 0

# before
shards = [range(r, len(lengths), ranks) for r in range(ranks)]  # as many sequences for each
mine = shards[rank]

# after
shards, tokens = [[] for _ in range(ranks)], [0] * ranks
for number in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
    lightest = tokens.index(min(tokens))
    shards[lightest].append(number)  # as many tokens for each, or nearly so
    tokens[lightest] += lengths[number]
mine = shards[rank]
