#!/bin/bash
# Submits a campaign to Slurm: an array that plays the parts, and a job after it that merges them.
#   ./submit.sh [SEED [RUNS [PARTS]]]      squall has to be on the PATH of every node, and the folder be shared by them
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export SEED=${1:-$(date +%Y%m%d)} RUNS=${2:-1000000}
export OUT=$PWD/campaign-$SEED
mkdir -p "$OUT/parts"
array=$(sbatch --parsable --array="1-${3:-16}" "$here/explore.sbatch")
# A part that found failures exits successfully. If a part failed for another reason, there is nothing to merge.
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes "$here/merge.sbatch")
echo "seed $SEED, $RUNS runs: array $array, then merge $merge; the findings will be in $OUT/found"
