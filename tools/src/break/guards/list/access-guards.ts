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
const gateTest = (title: string): NamedTest => ({ file: access('gate-keys.test.ts'), title });
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
        `const isSecret = timingSafeEqual(given, row === undefined ? NOBODY : Buffer.from(row.hash, 'hex'));
        if (row === undefined || !isSecret) return { isGood: false, reason: 'unknown' };`,
        "void [timingSafeEqual, given, NOBODY]; if (row === undefined) return { isGood: false, reason: 'unknown' };",
      ),
    ],
    tests: [keyTest('is unknown when it was never made, and when its id is another’s')],
  },
  {
    name: 'key-status',
    says: 'a key that is revoked or has expired opens nothing',
    edits: [cut(keys('check-keys.ts'), "if (row.status !== 'active') return { isGood: false, reason: row.status };")],
    tests: [
      keyTest('is refused at once, by a process that has just let it in'),
      keyTest('is expired from its moment on, by the clock of the database'),
    ],
  },
  {
    name: 'route-authorized',
    says: 'a route that is not public asks who calls',
    edits: [
      cut(
        'packages/http/src/http/add-routes.ts',
        "if (scope !== 'public') app.on(doc.method, pattern, authorize(scope, isForSomeTypes));",
        'void authorize;',
      ),
    ],
    tests: [test('refuses %s', 'no key')],
  },
  {
    name: 'query-names',
    says: 'a parameter that a route does not have is refused',
    edits: [
      cut(
        'packages/http/src/http/requests/refuse-query.ts',
        `const unknown = Object.keys(c.req.queries()).filter((name) => name !== '');
      if (unknown.length > 0) {
        throw new ApiError('invalid_query', 'The query is not valid; see errors for the parameters.', {
          errors: unknown.map((parameter) => ({
            parameter,
            message: 'There is no such parameter; this route has none',
          })),
        });
      }`,
        'void ApiError;',
      ),
    ],
    tests: [
      {
        file: 'packages/http/src/http/requests/refuse-query.test.ts',
        title: 'a parameter that a route does not have is refused, also where it has none: %s',
        of: '/v1/queues?queue=mail',
      },
    ],
  },
  {
    name: 'scope-required',
    says: 'a principal needs the scope of the route',
    edits: [
      cut(
        access('authorize/authorize-request.ts'),
        'if (!principal.scopes.includes(scope)) throw lacksScope(principal, scope);',
        'void [lacksScope, scope];',
      ),
    ],
    tests: [test('lets a key with the scope %s through where it is the one that is needed, and nowhere else', 'read')],
  },
  {
    name: 'share-of-one',
    says: 'one principal holds a part of the streams and the bytes, and leaves the rest',
    edits: [cut(access('share.ts'), 'if (mine > 0 && mine + amount > part)', 'if (part < 0)')],
    tests: [
      {
        file: access('share.test.ts'),
        title: 'one principal holds a quarter at the most, and leaves the rest to the others',
      },
    ],
  },
  {
    name: 'share-of-all',
    says: 'all together hold no more than there is',
    edits: [cut(access('share.ts'), 'if (this.#held > 0 && this.#held + amount > this.most)', 'if (this.most < 0)')],
    tests: [
      {
        file: access('share.test.ts'),
        title: 'all together hold no more than there is, and what is given back twice counts once',
      },
    ],
  },
  {
    name: 'stronger-key-kept',
    says: 'a key revokes no stronger one',
    edits: [
      cut(
        'packages/http/src/keys/check-granted.ts',
        "if (principal.kind === 'key' && principal.id !== `key:${key.id}`) checkGranted(principal, key.scopes);",
        'void [principal, key];',
      ),
    ],
    tests: [test('revokes itself and what it could have made, and no stronger key, by its name or its id')],
  },
  {
    name: 'granted-scopes',
    says: 'whoever makes a key over HTTP gives away no more than they have',
    edits: [
      cut(
        'packages/http/src/keys/check-granted.ts',
        `if (scope.startsWith('enqueue:')) return !mayEnqueue(scope.slice('enqueue:'.length));
        if (scope.startsWith('type:')) return false;
        if (scope === 'enqueue' && principal.types !== null) return true;
        return !principal.scopes.includes(scope as Principal['scopes'][number]);`,
        'void [mayEnqueue, scope]; return false;',
      ),
    ],
    tests: [test('may do nothing that its maker may not')],
  },
  {
    name: 'type-of-principal',
    says: 'a key for one type enqueues no other',
    edits: [
      cut(
        access('check-type.ts'),
        'if (principal.types !== null && !principal.types.includes(type)) throw refuse(principal, type, pointer);',
        'void [refuse, principal, type, pointer];',
      ),
    ],
    tests: [test('enqueues that type, and no other')],
  },
  {
    name: 'types-of-principal',
    says: 'a key for some types calls nothing that is about all of them',
    edits: [
      cut(
        access('authorize/authorize-request.ts'),
        'if (principal.types !== null && !isForSomeTypes) throw limitedToTypes(principal.name, principal.types);',
        'void [limitedToTypes, isForSomeTypes];',
      ),
    ],
    tests: [limitedTest('may call these routes, and is refused by every other one that is not public')],
  },
  {
    name: 'job-of-principal',
    says: 'nor does it read or change a job of another type',
    edits: [
      cut(
        access('check-job.ts'),
        "if (!types.includes(job.type)) throw new DueworkError('job_not_found', { id });",
        'void [DueworkError, job];',
      ),
    ],
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
    edits: [
      cut(
        access('narrow-filter.ts'),
        "if (types !== null) return { terms: [...filter.terms, { field: 'type', isNot: false, values: types }] };",
        'void types;',
      ),
    ],
    tests: [limitedTest('lists, counts and learns of jobs of its types alone, whatever it asks for')],
  },
  {
    name: 'failures-of-principal',
    says: 'nor is it told why others failed',
    edits: [
      cut(
        routes('figures/list-failures.ts'),
        'if (types !== null) wanted = types.filter((one) => asked === null || one === type);',
        'void types;',
      ),
    ],
    tests: [
      {
        file: routes('figures/list-failures.test.ts'),
        title: 'a key that is limited to types sees only their failures',
      },
    ],
  },
  {
    name: 'parses-of-principal',
    says: 'nor whether those of others would parse',
    edits: [
      cut(
        routes('contracts/check-payloads.ts'),
        'if (types !== null && !types.includes(type)) return c.json(NOTHING);',
        'void types;',
      ),
    ],
    tests: [
      {
        file: routes('contracts/check-payloads.test.ts'),
        title: 'a key that is limited to types sees only its types',
      },
    ],
  },
  {
    name: 'payload-edit-scope',
    says: 'who may not read payloads edits none',
    edits: [
      cut(
        access('check-edit.ts'),
        "if (!maySeePayloads(principal)) throw refuse('payloads', 'It edits payloads');",
        'void maySeePayloads;',
      ),
    ],
    tests: [keptTest('payloads are edited by who may read them, and what is sensitive by who may see it')],
  },
  {
    name: 'sensitive-edit-scope',
    says: 'nor what is sensitive, who may not see that',
    edits: [
      cut(
        access('check-edit.ts'),
        `if (catalog.some((contract) => edit.types.includes(contract.type) && isSensitivePath(contract, edit.path)))
    throw refuse('sensitive', 'It edits a field that a contract calls sensitive');`,
        'void [isSensitivePath, catalog];',
      ),
    ],
    tests: [keptTest('payloads are edited by who may read them, and what is sensitive by who may see it')],
  },
  {
    name: 'bulk-values-withheld',
    says: 'a bulk action tells nobody a payload who may not read payloads',
    edits: [
      cut(
        access('shown/show-bulk-action.ts'),
        `const { value: _, ...options } = action.options;
        return {
          ...action,
          filter: formatFilter(hideValues(readFilter(action.filter), ['payload', 'gate', 'tenant'])),
          options,
        };`,
        'void [formatFilter, hideValues, readFilter]; return action;',
      ),
    ],
    tests: [keptTest('of a bulk action, values of payloads are shown to who may read payloads, and to nobody else')],
  },
  {
    name: 'payloads-withheld',
    says: 'payloads are shown with their scope alone',
    edits: [
      cut(
        access('shown/withhold.ts'),
        `.filter(([field]) => !OF_PAYLOADS.has(field))`,
        '.filter(() => OF_PAYLOADS.size > 0)',
      ),
    ],
    tests: [test('are shown with their scope alone')],
  },
  {
    name: 'gate-values-withheld',
    says: 'a key that is made of a payload is shown with that scope alone',
    edits: [cut(access('shown/withhold.ts'), 'ruleOfKey(value) : value', '(void ruleOfKey, value) : value')],
    tests: [gateTest('are shown without the values of payloads to who may not read those')],
  },
  {
    name: 'gate-filter-scope',
    says: 'and nobody learns one by asking which jobs have it',
    edits: [
      cut(
        access('check-filter.ts'),
        "if (term.field === 'gate') return term.values.some((key) => ruleOfKey(key) !== key);",
        'void ruleOfKey;',
      ),
    ],
    tests: [filterTest('a filter asks about payloads only for who may read them')],
  },
  {
    name: 'payload-filter-scope',
    says: 'nobody learns a payload by asking which jobs have it',
    edits: [
      cut(
        access('check-filter.ts'),
        `if (terms.some(asksPayloads) && !principal.scopes.includes('payloads'))
        throw refuse('payloads', 'It asks for what is in payloads');`,
      ),
    ],
    tests: [filterTest('a filter asks about payloads only for who may read them')],
  },
  {
    name: 'sensitive-filter-scope',
    says: 'nor what is sensitive',
    edits: [
      cut(
        access('check-filter.ts'),
        `if (asked.some(({ path }) => contracts.some((contract) => isSensitivePath(contract, path))))
        throw refuse('sensitive', 'It asks for a field that a contract calls sensitive');`,
        'void isSensitivePath;',
      ),
    ],
    tests: [
      filterTest('a filter asks about what a contract calls sensitive, or what holds it, only for who may see it'),
    ],
  },
  {
    name: 'registered-filter-scope',
    says: 'nor what is sensitive in a contract that the server does not have',
    edits: [
      cut(
        access('check-asked-values.ts'),
        'checkFilter([...(await readSensitivePaths(db)).values()], principal, filter);',
        'void [readSensitivePaths, db];',
      ),
    ],
    tests: [
      keptTest('what a contract calls sensitive that this server does not have is not asked for, or kept, either'),
    ],
  },
  {
    name: 'local-alone',
    says: 'nobody but this machine does without a key',
    edits: [
      cut(
        access('authorize/authorize-local.ts'),
        "if (!isLocal || headers.has('authorization')) return null;",
        'void isLocal;',
      ),
    ],
    tests: [test(nothing, 'X-Forwarded-For')],
  },
  {
    name: 'local-page',
    says: 'a page of another origin does not act as this machine',
    edits: [
      cut(
        access('authorize/authorize-local.ts'),
        `const host = headers.get('host');
      if (host !== null && !LOCAL_HOST.test(host)) return null;
      const origin = headers.get('origin');
      if (origin !== null && origin !== \`http://\${host}\`) return null;
      if (headers.get('sec-fetch-site') === 'cross-site' || headers.get('sec-fetch-site') === 'same-site') return null;`,
        'void LOCAL_HOST;',
      ),
    ],
    tests: [test('a page that was given this address by its name may do nothing'), test(nothing, 'Origin')],
  },
  {
    name: 'forwarded-not-local',
    says: 'what came through a proxy is not local',
    edits: [
      cut(
        access('authorize/find-caller.ts'),
        'const isLocal = address !== null && contains(loopback, address) && !OF_PROXIES.some((name) => headers.has(name));',
        'const isLocal = address !== null && contains(loopback, address); void OF_PROXIES;',
      ),
    ],
    tests: [test(nothing, 'X-Forwarded-For')],
  },
  {
    name: 'failures-limited',
    says: 'an address that fails too often is told to wait',
    edits: [
      cut(
        access('authorize/authorize-request.ts'),
        `if (quota.remaining < 0)
        throw tooMany('Too many requests with no or wrong credentials came from this address.', quota);`,
        'void quota;',
      ),
    ],
    tests: [test('an address that fails too often gets 429, and a good key from it is still served')],
  },
  {
    name: 'requests-limited',
    says: 'a principal sends no more than its requests a minute',
    edits: [
      cut(
        access('authorize/authorize-request.ts'),
        'if (quota.remaining < 0) throw tooMany(`${decided.name} may send ${requestsPerMinute} requests a minute.`, quota);',
      ),
    ],
    tests: [test('a principal is told what is left, and gets 429 beyond it')],
  },
  {
    name: 'issuer-names-itself',
    says: 'an issuer that names itself otherwise is not believed',
    edits: [
      cut(
        access('authorize/discover-issuer.ts'),
        `if (document.issuer !== issuer)
        throw new Error(\`\${url} is about the issuer \${JSON.stringify(document.issuer)}, not \${JSON.stringify(issuer)}.\`);`,
      ),
    ],
    tests: [
      { file: access('authorize/authorize-by-oidc.test.ts'), title: 'that names itself otherwise is not believed' },
    ],
  },
  {
    name: 'sign-in-state',
    says: 'a sign-in is finished by the tab that has begun it',
    edits: [
      cut(
        signIns('sign-in-by-oidc.ts'),
        'const checked = oauth.validateAuthResponse(server, client, given, state);',
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
        `const issued = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: nonce,
          requireIdToken: true,
        });`,
        'void nonce; const issued = (await response.json()) as oauth.TokenEndpointResponse;',
      ),
    ],
    tests: [signInTest('when the ID token was made for another one')],
  },
  {
    name: 'sign-ins-limited',
    says: 'an address whose sign-ins fail too often does not make the API ask the issuer',
    edits: [
      cut(
        signIns('sign-in-attempts.ts'),
        `if (remaining <= 0)
        throw new ApiError('rate_limited', \`Too many sign-ins from this address failed. Wait \${resetSeconds} s.\`, {
          headers: { 'Retry-After': String(resetSeconds) },
        });`,
        'void [remaining, resetSeconds];',
      ),
    ],
    tests: [signInTest('is not asked for an address that has failed too often')],
  },
  {
    name: 'no-keys-on-loopback',
    says: 'an API with keys off listens on no address that others see',
    edits: [
      cut(
        'apps/api/src/env.ts',
        `if (env.API_KEYS === 'off' && !isLoopback(env.HOST))
        refuse(
          'API_KEYS',
          \`cannot be off while HOST is \${env.HOST}: anybody who can connect could do everything. Leave API_KEYS out and make a key with npx duework keys create, or set HOST=127.0.0.1\`,
        );`,
        'void isLoopback;',
      ),
    ],
    tests: [
      { file: 'apps/api/src/env.test.ts', title: '%j does not start', of: '{"API_KEYS":"off","HOST":"0.0.0.0"}' },
    ],
  },
  {
    name: 'no-trouble-with-keys',
    says: 'an API that others can use has no page whose buttons make trouble',
    edits: [
      cut(
        'apps/api/src/env.ts',
        `if (env.SHOP_TROUBLE === 'on' && env.API_KEYS !== 'off')
        refuse(
          'SHOP_TROUBLE',
          'cannot be on while API_KEYS is on: it kills the worker, and is for development on this machine alone. Leave SHOP_TROUBLE out',
        );`,
      ),
    ],
    tests: [{ file: 'apps/api/src/env.test.ts', title: '%j does not start', of: '{"SHOP_TROUBLE":"on"}' }],
  },
  {
    name: 'head-follows-nothing',
    says: 'a HEAD, whose answer nobody reads, opens no stream',
    edits: [cut(live('create-streams.ts'), "if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS);")],
    tests: [followTest('nobody is followed for a HEAD, or when the client is gone')],
  },
  {
    name: 'pending-events-bounded',
    says: 'a client that does not read is cut off',
    edits: [
      cut(
        live('event-stream.ts'),
        'if (this.#pendingBytes > MAX_PENDING_BYTES) this.#cutOff();\n    else this.#controller.enqueue(bytes);',
        'void [MAX_PENDING_BYTES, this.#pendingBytes];\n    this.#controller.enqueue(bytes);',
      ),
    ],
    tests: [
      {
        file: live('create-streams.test.ts'),
        title:
          'a client that does not read what it is sent is cut off, and keeps nothing but its place until it is gone',
      },
    ],
  },
  {
    name: 'streams-end-with-access',
    says: 'a stream ends when its key is revoked',
    edits: [
      cut(
        access('access-watch.ts'),
        'if (!(await this.#isStill(opened))) for (const end of [...opened.ends]) end();',
        'await this.#isStill(opened);',
      ),
    ],
    tests: [followTest('a stream ends when the key that opened it is revoked, and those of other keys go on')],
  },
  {
    name: 'withheld-revision',
    says: 'who may not see progress is not told when it changes',
    edits: [
      cut(
        live('show-state.ts'),
        "return { ...shown, revision: createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16) };",
        'void createHash; return { ...shown, revision: state.revision };',
      ),
    ],
    tests: [followTest('who may not read payloads is told neither progress nor that it has changed')],
  },
  {
    name: 'page-views-apart',
    says: 'what is made for those who may see payloads goes to nobody else',
    edits: [
      cut(
        routes('live/follow-jobs.ts'),
        "const name = maySeePayloads(principal) ? 'with progress' : 'without';",
        "void maySeePayloads; const name = 'all';",
      ),
    ],
    tests: [followTest('who may not read payloads is told neither progress nor that it has changed')],
  },
  {
    name: 'followed-filters-bounded',
    says: 'the filters that are followed at once are bounded',
    edits: [cut(routes('live/follow-jobs.ts'), 'if (full !== null)', 'if (full?.length === 0)')],
    tests: [
      followTest('one key follows 20 different filters at once, all keys 200, and the others follow what they did'),
    ],
  },
  {
    name: 'numbers-as-stored',
    says: 'numbers that JavaScript cannot hold are answered as they are stored',
    edits: [
      cut(
        access('shown/show-values.ts'),
        'const stored = { ...job, ...readStored(job, markNumber) };',
        'void [readStored, markNumber];\n  const stored = job;',
      ),
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
    edits: [
      cut(
        'packages/http/src/http/requests/read-json-body.ts',
        `const lost = findLostNumber(text);
      if (lost !== null)
        throw new ApiError('invalid_body', 'The request body is not valid; see errors.', {
          errors: [{ pointer: toPointer(lost), message: 'It is a number of more digits than are kept; send it as text' }],
        });`,
        'void [text, findLostNumber, toPointer];',
      ),
    ],
    tests: [
      {
        file: 'packages/http/src/http/problems/problems.test.ts',
        title: '%s: %s',
        of: 'a number that JavaScript would change',
      },
    ],
  },
  {
    name: 'console-link-address',
    says: 'a link of the console leads to the host that was set, by http or https',
    edits: [
      cut(
        'packages/http/src/console/check-links.ts',
        `const origins = ['1', '2'].map((value) => originOf(href.replaceAll(NAME, value)));
      if (origins[0] === null || origins[0] !== origins[1])
        refuse(option, 'an address of http: or https: whose host has no names in braces and no password', href);`,
        'void originOf;',
      ),
    ],
    tests: [
      {
        file: 'packages/http/src/console/check-links.test.ts',
        title: '%s is refused before the server starts, with what is wrong',
        of: 'a script',
      },
    ],
  },
];
