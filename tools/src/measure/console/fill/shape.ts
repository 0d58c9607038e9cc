/** How much there is. */
export const FINISHED = 780_000;
export const DEAD = 20_000;
/** Of which a tenth waits for a retry. */
export const WAITING = 200_000;
export const RUNNING = 400;
export const TYPES = 50;
export const QUEUES = 8;
export const WORKERS = 20;
export const SCHEDULES = 200;
export const DAYS = 90;
export const AUDIT_ENTRIES = 100_000;

/** Of the n-th job, in SQL. */
export const TYPE = `'type_' || (n % ${TYPES})::text`;
/** A type is always in the same queue. */
export const QUEUE = `'queue_' || (n % ${TYPES} % ${QUEUES})::text`;
export const PAYLOAD = `jsonb_build_object('orderId', n, 'customer', jsonb_build_object('id', n % 1000, 'name', 'Customer ' || n % 1000), 'note', md5(n::text))`;

const NAMES = [
  'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra',
  'tango uniform victor whiskey yankee zulu amber birch cedar dogwood elder',
]
  .join(' ')
  .split(' ');

/** 30 errors: each has another name, numbers or an address in it, and every third a hash, so that no two of its jobs have the same words. */
export const ERRORS = NAMES.length;
const NAME = `(ARRAY[${NAMES.map((name) => `'${name}'`).join(', ')}])[1 + n / 7 % ${NAMES.length}]`;
export const ERROR_CODE = `CASE n / 7 % 3 WHEN 0 THEN 'http_503' WHEN 1 THEN 'ECONNREFUSED' ELSE 'locked' END`;
export const ERROR = `CASE n / 7 % 3
  WHEN 0 THEN 'The provider ' || ${NAME} || ' answered 503: try again later (request ' || md5(n::text) || ')'
  WHEN 1 THEN 'connect ECONNREFUSED 10.0.' || n % 7 || '.' || n % 250 || ':443 while asking ' || ${NAME}
  ELSE 'Invoice ' || n || ' of customer-' || n % 1000 || '@example.org is locked by ' || ${NAME}
END`;
