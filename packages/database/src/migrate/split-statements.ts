/**
 * Splits SQL into its statements, each without its semicolon: at every semicolon that is in no string, quoted name, body
 * or comment. It reads what migrations are written in: no E'' strings, no nested comments.
 */
export function splitStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  let begin = 0;
  // what hides a semicolon: -- comment, /* comment */, 'string', "name", $tag$ body $tag$
  for (const match of sql.matchAll(/--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[^]*?\1|;/g)) {
    if (match[0] !== ';') continue;
    statements.push(sql.slice(begin, match.index).trim());
    begin = match.index + 1;
  }
  const rest = sql.slice(begin).trim();
  return (hasCode(rest) ? [...statements, rest] : statements).filter(hasCode);
}

const hasCode = (sql: string): boolean => sql.replaceAll(/--[^\n]*/g, '').trim() !== '';
