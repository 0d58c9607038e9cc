/** What this process was started with: its one argument, as JSON. Whoever starts it knows the type. */
export function readSettings(): unknown {
  return JSON.parse(process.argv[2] ?? '{}');
}
