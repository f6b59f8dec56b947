# none: Nothing changes in the script: tuneproof tune 'python train.py --batch-size {batch:16,32,64}' searches its options.
