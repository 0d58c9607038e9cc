import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useProgram } from '../testing/use-program.js';

const { api, run } = useProgram();
const alert = 'horizon_pinned/session 7';

beforeEach(async () => {
  await emptyTables(api.db, 'job_alerts, alert_silences');
  await api.db.$executeRaw`
    INSERT INTO duework.job_alerts (name, subject, raised_at, facts)
    VALUES ('horizon_pinned', 'session 7', now(), '{"kind": "session", "pinnedSeconds": 400}')`;
});

describe.each(['api', 'database'] as const)('on the %s', (where) => {
  test('what is on is listed, silenced, taken care of and tested', async () => {
    expect((await run(where, 'alerts')).out).toMatch(
      /^ALERT +SEVERITY +SINCE +TOLD +WHAT\nhorizon_pinned\/session 7 +warning +\S+ +yes +Dead rows have not been removed for 400 s/,
    );
    // what is wrong is said by the status, too
    expect((await run(where, 'status')).out).toMatch(/^Alert since \S+: Dead rows have not been removed for 400 s/m);
    expect((await run(where, 'alerts', 'silence', 'horizon_pinned', '--for', '2h', '--reason', 'a dump')).out).toBe(
      "horizon_pinned is silent for 2h. To end that earlier: npx duework alerts silence 'horizon_pinned' --end\n",
    );
    const silent = (await run(where, 'alerts', 'list')).out;
    expect(silent).toMatch(/ silent /);
    expect(silent).toMatch(/^horizon_pinned is silent until \S+, by \S+: a dump$/m);
    await run(where, 'alerts', 'silence', 'horizon_pinned', '--end');
    expect((await run(where, 'alerts', 'acknowledge', alert)).out).toMatch(
      /^You have taken horizon_pinned\/session 7\./,
    );
    expect((await run(where, 'alerts')).out).toMatch(/ to \S+/);
    expect((await run(where, 'alerts', 'test', '--severity', 'critical')).out).toMatch(/within about a minute/);
    expect(JSON.parse((await run(where, 'alerts', 'list', '--json')).out)).toMatchObject({
      alerts: [{ name: 'test', severity: 'critical' }, { key: alert }],
      silences: [],
    });
  });

  test.each([
    [['silence', 'horizon_pinned'], 'invalid_option'],
    [['silence', 'horizon_pinned', '--for', '1h', '--end'], 'invalid_option'],
    [['silence', '*', '--end'], 'alert_not_found'],
    [['acknowledge', 'horizon_pinned'], 'alert_not_found'],
    [['test', '--severity', 'urgent'], where === 'api' ? 'invalid_body' : 'invalid_option'],
  ])('%j is refused', async (words, code) => {
    await expect(run(where, 'alerts', ...words)).rejects.toMatchObject({ code });
  });
});
