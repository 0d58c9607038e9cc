/** Everything before the hosts, the hosts, everything behind them. */
const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^/?#]*@)?(?<hosts>[^/?#@]*)(?<rest>.*)$/s;

/**
 * The URLs with one host each that a URL of libpq's with several hosts stands for, `postgres://me@h1:5432,h2/db`, which no
 * reader of URLs takes; any other text as it is. A host without a port has PostgreSQL's own. One that is empty makes a URL
 * that cannot be read. Without any host, as sockets are written, it is localhost's.
 */
export function splitHosts(url: string): readonly string[] {
  const { scheme = '', user = '', hosts = '', rest = '' } = PARTS.exec(url)?.groups ?? {};
  // a socket is named behind: postgres://me:secret@/db?host=/cloudsql/project:region:instance
  if (hosts === '' && user !== '') return [`${scheme}${user}localhost${rest}`];
  if (!hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => `${scheme}${user}${host.trim() || ':'}${rest}`);
}
