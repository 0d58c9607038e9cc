import { join } from 'node:path';
import { startProcess } from './processes/start-process.mjs';
import { seededRandom } from './random.mjs';
import { startProxy } from './servers/start-proxy.mjs';

/** A number apart for each producer. */
const NUMBERS = 50_000_000;
/** How much is kept of what one said that fell. */
const SAID = 6;

/** The producers, each with a cable of its own, and the operator. One that falls over is noted: the product ends nobody's process. */
export async function openPeople({ postgres, dir, options, note }) {
  const random = seededRandom(options.seed);
  const open = (main, settings) => {
    note('person.begun', { person: settings.name });
    const person = startProcess(main, settings);
    void person.exited.then(
      ({ code, signal }) =>
        person.isTold || note('person.fell', { person: settings.name, code, signal, said: person.said.slice(0, SAID) }),
    );
    return person;
  };
  const cables = [];
  const producers = [];
  for (let index = 0; index < 2; index++) {
    const name = `p${index + 1}`;
    const proxy = await startProxy({ host: '127.0.0.1', port: postgres.port });
    const url = new URL(postgres.url);
    url.port = String(proxy.port);
    cables.push({ name, proxy });
    producers.push(
      open('producer.mjs', {
        url: url.toString(),
        name,
        history: join(dir, `history-${name}.jsonl`),
        seed: random.seed(),
        // one call in twenty enqueues five
        perSecond: options.perSecond / 2 / 1.2,
        sampleEvery: options.sampleEvery,
        firstN: index * NUMBERS,
      }),
    );
  }
  const operator = open('operator.mjs', {
    url: postgres.url,
    name: 'operator',
    history: join(dir, 'history-operator.jsonl'),
    seed: random.seed(),
    sampleEvery: options.sampleEvery,
  });
  return { cables, producers, operator };
}
