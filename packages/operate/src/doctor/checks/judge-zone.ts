import { found, type Finding } from '../findings.js';
import type { ServerFacts } from '../sql/read-server.js';

/** Names of the zone whose offset is always 0. London is not one: its offset is 0 in winter only. */
const UTC = /^(etc\/)?(utc|uct|universal|zulu|gmt|gmt[+-]?0|greenwich)$/i;

/**
 * Whether every session begins in UTC. What Duework connects itself says so each time; a Prisma client of the team does
 * only when its adapter is told to, and then reads moments shifted by the offset.
 */
export function judgeZone({
  settings,
  zones,
  database,
}: Pick<ServerFacts, 'settings' | 'zones' | 'database'>): Finding[] {
  const isUtcHere = zones.some(({ of, zone }) => of === `database ${database}` && UTC.test(zone));
  const others = zones.filter(({ of, zone }) => !UTC.test(zone) && !(isUtcHere && of === 'postgresql.conf'));
  const own = settings['TimeZone'] ?? 'UTC';
  // what the session has from a place that is named below is not told twice
  if (!UTC.test(own) && !others.some(({ zone }) => zone === own)) others.unshift({ of: 'this session', zone: own });
  return others.map(({ of, zone }) =>
    found(
      'zone_not_utc',
      of,
      `Sessions begin in the zone ${zone} (${of}): a client that does not set it, such as Prisma's, reads moments shifted.`,
      of.startsWith('role ')
        ? `Run: ALTER ROLE ${of.replace(/^role /, '').replace(/ in database /, ' IN DATABASE ')} SET TimeZone = 'UTC';`
        : `Run: ALTER DATABASE ${database} SET TimeZone = 'UTC';`,
    ),
  );
}
