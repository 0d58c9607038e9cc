import { queryOnce } from '../systems/query-once.mjs';

let made = 0;

/** The same server, another database. */
function withDatabase(url, name) {
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.toString();
}

/** A database as `prepare` leaves it, to be cloned for each measurement: nobody inherits another one's bloat. */
export async function makeTemplate(postgres, prepare, source = 'template0') {
  made += 1;
  const name = `bench_template_${made}`;
  await queryOnce(postgres.url, `CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`);
  const url = withDatabase(postgres.url, name);
  await prepare(url);
  return { name, url };
}

/** A fresh clone, on a server that has nothing left to write (a copy of the files begins and ends with a checkpoint). */
export async function clonePlace(postgres, template, strategy) {
  made += 1;
  const name = `bench_${made}`;
  await queryOnce(postgres.url, `CREATE DATABASE ${name} TEMPLATE ${template.name} STRATEGY ${strategy}`);
  return {
    url: withDatabase(postgres.url, name),
    drop: () => queryOnce(postgres.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
