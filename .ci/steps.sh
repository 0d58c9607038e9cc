# Sourced by run and nightly, which are lists of steps.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI=true NO_COLOR=1

# What lanes write is told where they end: the seconds of each step, and the steps that failed.
told=$(mktemp -d)
lanes=()
end_lanes() {
  for lane in ${lanes[@]+"${lanes[@]}"}; do kill -TERM -- "-$lane" 2>/dev/null || true; done
  rm -rf "$told"
}
trap end_lanes EXIT
trap 'exit 130' INT TERM HUP

# step 'name' command …: runs it; a step that fails ends everything
step() {
  local name=$1 begun=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@" </dev/null || {
    printf '\nCI failed at: %s (%s)\n' "$name" "$*" | tee -a "$told/failed"
    exit 1
  }
  printf '%5d s  %s\n' $((SECONDS - begun)) "$name" >>"$told/took"
}

# side_by_side function function: the steps of one beside those of the other, for steps that use one core each, or mostly
# wait, and share no file and no port. What a lane says comes in one piece, when it has ended. Where one fails, the other
# goes on to its end, so that nothing is left behind; then everything ends.
side_by_side() {
  local lane at has_failed=
  lanes=()
  # each in a process group of its own, to be ended as a whole
  set -m
  for lane in "$@"; do
    (
      trap - EXIT INT TERM HUP
      set +m
      "$lane"
    ) >"$told/$lane" 2>&1 </dev/null &
    lanes+=($!)
  done
  set +m
  for at in "${!lanes[@]}"; do
    wait "${lanes[$at]}" || has_failed=1
    lane=$((at + 1))
    cat "$told/${!lane}"
  done
  lanes=()
  [[ -z $has_failed ]] || {
    cat "$told/failed" || true
    exit 1
  }
}

tell_times() {
  printf '\n== how long each took\n'
  cat "$told/took"
  printf '%5d s  until here%s\n' $SECONDS "$1"
  rm -rf "$told"
}
