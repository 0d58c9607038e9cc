/** Shows which measure runs: a line that is written over on a terminal, a line for each elsewhere. Returns how to end it. */
export function showTurn({ turn: { round, measure, system }, index, turns, begunMs }) {
  const isTerminal = process.stderr.isTTY === true;
  const label = `${String(index + 1).padStart(String(turns.length).length)}/${turns.length}  round ${round + 1}  ${measure.name}, ${system.title}`;
  const minutes = () => {
    const seconds = Math.round((performance.now() - begunMs) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  };
  const show = () => process.stderr.write(`\r${minutes()}  ${label}`.padEnd(90));
  const timer = isTerminal ? setInterval(show, 1_000) : undefined;
  if (isTerminal) show();
  return function end({ figures, error }) {
    clearInterval(timer);
    if (error !== undefined)
      return void process.stderr.write(`${isTerminal ? '\r' : ''}${minutes()}  ${label}: FAILED. ${error}\n`);
    if (isTerminal) return;
    const [first] = measure.figures;
    const value = figures[first.key];
    process.stderr.write(
      `${minutes()}  ${label}: ${typeof value === 'number' ? Number(value.toPrecision(4)) : '–'} ${first.unit}\n`,
    );
  };
}
