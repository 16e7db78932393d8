#!/bin/bash
# a launch
set -e
GPUS=${GPUS_PER_NODE:-8}
NNODES=2
WORLD=$((GPUS * NNODES))
LAYERS=$((4 * (2 + 6)))
if [ -z "$TP" ]; then TP=2; else TP=4; fi
for PP in 2; do echo "$PP"; done
MODEL_ARGS=(
    --num-layers $LAYERS
    --hidden-size 4096   # width
    --num-attention-heads 32
)
OPTS="--seq-length 4096 \
  --max-position-embeddings ${MAX:=4096}"
cat > ds.json <<EOF
{"zero": 1}
EOF
export MORE="--micro-batch-size 1 --global-batch-size ${#GPUS}6"
torchrun --nproc-per-node $GPUS --nnodes "$NNODES" pretrain_gpt.py "${MODEL_ARGS[@]}" $OPTS $MORE --world-size ${WORLD} \
    --tensor-model-parallel-size $TP --pipeline-model-parallel-size ${PP} --bf16 --swiglu --vocab-size 32000 \
    --recompute-granularity full --recompute-method block --recompute-num-layers 2 --use-distributed-optimizer 2>&1 | tee log.txt
