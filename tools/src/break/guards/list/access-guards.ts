import type { Guard, NamedTest } from '../guard.js';
import { cut } from './places.js';

const access = (file: string): string => `packages/http/src/access/${file}`;
const keys = (file: string): string => `packages/operate/src/keys/${file}`;
const test = (title: string, of?: string): NamedTest => ({
  file: access('access.test.ts'),
  title,
  ...(of === undefined ? {} : { of }),
});
const filterTest = (title: string): NamedTest => ({ file: access('check-filter.test.ts'), title });
const limitedTest = (title: string, of?: string): NamedTest => ({
  file: access('limited-keys.test.ts'),
  title,
  ...(of === undefined ? {} : { of }),
});
const keptTest = (title: string): NamedTest => ({ file: 'packages/http/src/http/kept-answers.test.ts', title });
const live = (file: string): string => `packages/http/src/live/${file}`;
const routes = (file: string): string => `packages/http/src/routes/${file}`;
const followTest = (title: string): NamedTest => ({ file: routes('live/follow-jobs.test.ts'), title });
const signIns = (file: string): string => `packages/http/src/sign-in/${file}`;
const signInTest = (title: string): NamedTest => ({ file: signIns('sign-in-by-oidc.test.ts'), title });
const keyTest = (title: string): NamedTest => ({ file: keys('keys.test.ts'), title });
const nothing = 'a request with %s: %s may do nothing';

export const accessGuards: readonly Guard[] = [
  {
    name: 'key-secret',
    says: 'the id of a key opens nothing without its secret',
    edits: [
      cut(
        keys('check-keys.ts'),
        'key-secret',
        "void [timingSafeEqual, given, NOBODY]; if (row === undefined) return { isGood: false, reason: 'unknown' };",
      ),
    ],
    tests: [keyTest('is unknown when it was never made, and when its id is another’s')],
  },
  {
    name: 'key-status',
    says: 'a key that is revoked or has expired opens nothing',
    edits: [cut(keys('check-keys.ts'), 'key-status')],
    tests: [
      keyTest('is refused at once, by a process that has just let it in'),
      keyTest('is expired from its moment on, by the clock of the database'),
    ],
  },
  {
    name: 'route-authorized',
    says: 'a route that is not public asks who calls',
    edits: [cut('packages/http/src/http/add-routes.ts', 'route-authorized', 'void authorize;')],
    tests: [test('refuses %s', 'no key')],
  },
  {
    name: 'query-names',
    says: 'a parameter that a route does not have is refused',
    edits: [cut('packages/http/src/http/refuse-query.ts', 'query-names', 'void ApiError;')],
    tests: [
      {
        file: 'packages/http/src/http/refuse-query.test.ts',
        title: 'a parameter that a route does not have is refused, also where it has none: %s',
        of: '/v1/queues?queue=mail',
      },
    ],
  },
  {
    name: 'scope-required',
    says: 'a principal needs the scope of the route',
    edits: [cut(access('authorize-request.ts'), 'scope-required', 'void [lacksScope, scope];')],
    tests: [test('lets a key with the scope %s through where it is the one that is needed, and nowhere else', 'read')],
  },
  {
    name: 'granted-scopes',
    says: 'whoever makes a key over HTTP gives away no more than they have',
    edits: [
      cut('packages/http/src/keys/check-granted.ts', 'granted-scopes', 'void [mayEnqueue, scope]; return false;'),
    ],
    tests: [test('may do nothing that its maker may not')],
  },
  {
    name: 'type-of-principal',
    says: 'a key for one type enqueues no other',
    edits: [cut(access('check-type.ts'), 'type-of-principal', 'void [refuse, principal, type, pointer];')],
    tests: [test('enqueues that type, and no other')],
  },
  {
    name: 'types-of-principal',
    says: 'a key for some types calls nothing that is about all of them',
    edits: [cut(access('authorize-request.ts'), 'types-of-principal', 'void [limitedToTypes, isForSomeTypes];')],
    tests: [limitedTest('may call these routes, and is refused by every other one that is not public')],
  },
  {
    name: 'job-of-principal',
    says: 'nor does it read or change a job of another type',
    edits: [cut(access('check-job.ts'), 'job-of-principal', 'void [DueworkError, job];')],
    tests: [
      limitedTest(
        'of a job of another type %s answers as of one that is not there, and changes nothing',
        'post /v1/jobs/{id}/retry',
      ),
    ],
  },
  {
    name: 'filter-of-principal',
    says: 'nor list or count one',
    edits: [cut(access('narrow-filter.ts'), 'filter-of-principal', 'void types;')],
    tests: [limitedTest('lists, counts and learns of jobs of its types alone, whatever it asks for')],
  },
  {
    name: 'failures-of-principal',
    says: 'nor is it told why others failed',
    edits: [cut(routes('figures/list-failures.ts'), 'failures-of-principal', 'void types;')],
    tests: [
      {
        file: routes('figures/list-failures.test.ts'),
        title: 'a key that is limited to types is told of their failures alone',
      },
    ],
  },
  {
    name: 'parses-of-principal',
    says: 'nor whether those of others would parse',
    edits: [cut(routes('contracts/check-payloads.ts'), 'parses-of-principal', 'void types;')],
    tests: [
      {
        file: routes('contracts/check-payloads.test.ts'),
        title: 'a key that is limited to types is told of its types alone',
      },
    ],
  },
  {
    name: 'payload-edit-scope',
    says: 'who may not read payloads edits none',
    edits: [cut(access('check-bulk-request.ts'), 'payload-edit-scope')],
    tests: [keptTest('payloads are edited by who may read them, and what is sensitive by who may see it')],
  },
  {
    name: 'sensitive-edit-scope',
    says: 'nor what is sensitive, who may not see that',
    edits: [cut(access('check-bulk-request.ts'), 'sensitive-edit-scope', 'void [isSensitivePath, types, catalog];')],
    tests: [keptTest('payloads are edited by who may read them, and what is sensitive by who may see it')],
  },
  {
    name: 'bulk-values-withheld',
    says: 'a bulk action tells nobody a payload who may not read payloads',
    edits: [
      cut(
        access('show-bulk-action.ts'),
        'bulk-values-withheld',
        'void [formatFilter, hideValues, readFilter]; return action;',
      ),
    ],
    tests: [keptTest('of a bulk action, values of payloads are shown to who may read payloads, and to nobody else')],
  },
  {
    name: 'payloads-withheld',
    says: 'payloads are shown with their scope alone',
    edits: [cut(access('withhold.ts'), 'payloads-withheld', 'void [OF_PAYLOADS, principal];')],
    tests: [test('are shown with their scope alone')],
  },
  {
    name: 'payload-filter-scope',
    says: 'nobody learns a payload by asking which jobs have it',
    edits: [cut(access('check-filter.ts'), 'payload-filter-scope')],
    tests: [filterTest('a filter asks about payloads only for who may read them')],
  },
  {
    name: 'sensitive-filter-scope',
    says: 'nor what is sensitive',
    edits: [cut(access('check-filter.ts'), 'sensitive-filter-scope', 'void isSensitivePath;')],
    tests: [
      filterTest('a filter asks about what a contract calls sensitive, or what holds it, only for who may see it'),
    ],
  },
  {
    name: 'registered-filter-scope',
    says: 'nor what is sensitive in a contract that the server does not have',
    edits: [cut(access('check-asked-values.ts'), 'registered-filter-scope', 'void [readSensitivePaths, db];')],
    tests: [
      keptTest('what a contract calls sensitive that this server does not have is not asked for, or kept, either'),
    ],
  },
  {
    name: 'local-alone',
    says: 'nobody but this machine does without a key',
    edits: [cut(access('authorize-local.ts'), 'local-alone', 'void isLocal;')],
    tests: [test(nothing, 'X-Forwarded-For')],
  },
  {
    name: 'local-page',
    says: 'a page of another origin does not act as this machine',
    edits: [cut(access('authorize-local.ts'), 'local-page', 'void LOCAL_HOST;')],
    tests: [test('a page that was given this address by its name may do nothing'), test(nothing, 'Origin')],
  },
  {
    name: 'forwarded-not-local',
    says: 'what came through a proxy is not local',
    edits: [
      cut(
        access('find-caller.ts'),
        'forwarded-not-local',
        'const isLocal = address !== null && contains(loopback, address); void OF_PROXIES;',
      ),
    ],
    tests: [test(nothing, 'X-Forwarded-For')],
  },
  {
    name: 'failures-limited',
    says: 'an address that fails too often is told to wait',
    edits: [cut(access('authorize-request.ts'), 'failures-limited', 'void quota;')],
    tests: [test('an address that fails too often gets 429, and a good key from it is still served')],
  },
  {
    name: 'requests-limited',
    says: 'a principal sends no more than its requests a minute',
    edits: [cut(access('authorize-request.ts'), 'requests-limited')],
    tests: [test('a principal is told what is left, and gets 429 beyond it')],
  },
  {
    name: 'issuer-names-itself',
    says: 'an issuer that names itself otherwise is not believed',
    edits: [cut(access('discover-issuer.ts'), 'issuer-names-itself')],
    tests: [{ file: access('authorize-by-oidc.test.ts'), title: 'that names itself otherwise is not believed' }],
  },
  {
    name: 'sign-in-state',
    says: 'a sign-in is finished by the tab that has begun it',
    edits: [
      cut(
        signIns('sign-in-by-oidc.ts'),
        'sign-in-state',
        'void state; const checked = oauth.validateAuthResponse(server, client, given, oauth.skipStateCheck);',
      ),
    ],
    tests: [signInTest('with another state than the one that it began with')],
  },
  {
    name: 'sign-in-nonce',
    says: 'an ID token that was made for another sign-in is not taken',
    edits: [
      cut(
        signIns('sign-in-by-oidc.ts'),
        'sign-in-nonce',
        'void nonce; const { access_token: accessToken, id_token: idToken } = (await response.json()) as { access_token: string; id_token: string };',
      ),
    ],
    tests: [signInTest('when the ID token was made for another one')],
  },
  {
    name: 'sign-ins-limited',
    says: 'an address whose sign-ins fail too often does not make the API ask the issuer',
    edits: [cut(signIns('sign-in-attempts.ts'), 'sign-ins-limited', 'void [remaining, resetSeconds];')],
    tests: [signInTest('is not asked for an address that has failed too often')],
  },
  {
    name: 'no-keys-on-loopback',
    says: 'an API with keys off listens on no address that others see',
    edits: [cut('apps/api/src/env.ts', 'no-keys-on-loopback', 'void isLoopback;')],
    tests: [
      { file: 'apps/api/src/env.test.ts', title: '%j does not start', of: '{"API_KEYS":"off","HOST":"0.0.0.0"}' },
    ],
  },
  {
    name: 'no-trouble-with-keys',
    says: 'an API that others can use has no page whose buttons make trouble',
    edits: [cut('apps/api/src/env.ts', 'no-trouble-with-keys')],
    tests: [{ file: 'apps/api/src/env.test.ts', title: '%j does not start', of: '{"SHOP_TROUBLE":"on"}' }],
  },
  {
    name: 'head-follows-nothing',
    says: 'a HEAD, whose answer nobody reads, opens no stream',
    edits: [cut(live('create-streams.ts'), 'head-follows-nothing')],
    tests: [followTest('nobody is followed for a HEAD, or when the client is gone')],
  },
  {
    name: 'pending-events-bounded',
    says: 'a client that does not read is cut off',
    edits: [cut(live('create-streams.ts'), 'pending-events-bounded', 'void MAX_PENDING_BYTES;')],
    tests: [{ file: live('create-streams.test.ts'), title: 'a client that does not read what it is sent is cut off' }],
  },
  {
    name: 'streams-end-with-access',
    says: 'a stream ends when its key is revoked',
    edits: [cut(access('access-watch.ts'), 'streams-end-with-access', 'await this.#isStill(opened);')],
    tests: [followTest('a stream ends when the key that opened it is revoked, and those of other keys go on')],
  },
  {
    name: 'withheld-revision',
    says: 'who may not see progress is not told when it changes',
    edits: [
      cut(
        live('show-state.ts'),
        'withheld-revision',
        'void createHash; return { ...shown, revision: state.revision };',
      ),
    ],
    tests: [followTest('who may not read payloads is told neither progress nor that it has changed')],
  },
  {
    name: 'page-views-apart',
    says: 'what is made for those who may see payloads goes to nobody else',
    edits: [cut(routes('live/follow-jobs.ts'), 'page-views-apart', "void maySeePayloads; const name = 'all';")],
    tests: [followTest('who may not read payloads is told neither progress nor that it has changed')],
  },
  {
    name: 'followed-filters-bounded',
    says: 'the filters that are followed at once are bounded',
    edits: [cut(routes('live/follow-jobs.ts'), 'followed-filters-bounded', 'void ApiError;')],
    tests: [followTest('more than 200 different filters at once are refused for a while')],
  },
  {
    name: 'numbers-as-stored',
    says: 'numbers that JavaScript cannot hold are answered as they are stored',
    edits: [
      cut(access('show-values.ts'), 'numbers-as-stored', 'void [readStored, markNumber];\n  const stored = job;'),
    ],
    tests: [
      {
        file: routes('jobs/numbers-as-stored.test.ts'),
        title: 'a payload that was enqueued in SQL is answered with all the digits of its numbers, alone and in a list',
      },
    ],
  },
  {
    name: 'numbers-kept',
    says: 'a number that would become another one is refused',
    edits: [cut('packages/http/src/http/read-json-body.ts', 'numbers-kept', 'void [text, findLostNumber, toPointer];')],
    tests: [
      {
        file: 'packages/http/src/http/problems.test.ts',
        title: '%s: %s',
        of: 'a number that JavaScript would change',
      },
    ],
  },
  {
    name: 'console-link-address',
    says: 'a link of the console leads to the host that was set, by http or https',
    edits: [cut('packages/http/src/console/check-links.ts', 'console-link-address', 'void originOf;')],
    tests: [
      {
        file: 'packages/http/src/console/check-links.test.ts',
        title: '%s is refused before the server starts, with what is wrong',
        of: 'a script',
      },
    ],
  },
];
