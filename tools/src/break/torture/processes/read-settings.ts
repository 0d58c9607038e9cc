/** The settings of this process: its one argument, as JSON. The parent that starts it knows the type. */
export function readSettings(): unknown {
  return JSON.parse(process.argv[2] ?? '{}');
}
