/** Whether a line that a program printed is a warning of Node: `(node:123) MaxListenersExceededWarning: …`. */
export const isWarning = (line: string): boolean => /^\(node:\d+\) /.test(line);
