import { createInterface } from 'node:readline/promises';
import { waitUntil } from '../../kit/wait-until.js';
import { createHand } from './create-hand.js';
import { createOnCall } from './create-on-call.js';
import type { Incident, Scene } from './incident.js';
import { openScene } from './open-scene.js';

export interface RunIncidentOptions {
  /** Of a fresh, migrated database. */
  readonly databaseUrl: string;
  readonly name: string;
  readonly incident: Incident;
  /** How it is played; null: a person plays. */
  readonly play: 'commands' | 'clicks' | null;
  /** Where pictures of what is seen go. */
  readonly pictures?: string | undefined;
  readonly say: (line: string) => void;
}

/**
 * Brings an incident about, and plays it or leaves it to a person. Resolves with what is not over at the end, and what it
 * took.
 */
export async function runIncident(options: RunIncidentOptions) {
  const { databaseUrl, name, incident, play, say } = options;
  const scene = await openScene(databaseUrl, say);
  try {
    // a browser takes its time, in which an incident would go on
    const clicking = play === 'clicks' ? await createHand({ ...options, scene, pictures: options.pictures }) : null;
    await incident.begin(scene);
    say(`\n${name}: ${incident.wrong}\n`);
    if (play === null) return { left: await leaveToPerson(scene, incident, say), took: '' };
    const begunMs = performance.now();
    const took = clicking !== null ? await playByClicks(clicking, options) : await playByCommands(scene, options);
    const left = await judgeSoon(scene, incident);
    const seconds = Math.round((performance.now() - begunMs) / 1_000);
    say(left.length === 0 ? `It is over, proven with ${took} in ${seconds} s.` : left.join('\n'));
    return { left, took };
  } finally {
    await scene.close();
  }
}

async function playByCommands(scene: Scene, { incident, say }: RunIncidentOptions): Promise<string> {
  const { onCall, commands } = createOnCall(scene, incident, say);
  await incident.play(onCall);
  return `${commands()} commands`;
}

async function playByClicks(
  { hand, count, close }: Awaited<ReturnType<typeof createHand>>,
  { incident: { click } }: RunIncidentOptions,
): Promise<string> {
  if (typeof click === 'string') throw new Error(`It cannot be played with the mouse: ${click}.`);
  try {
    await click(hand);
    return `${count.clicks} clicks and ${count.texts} texts`;
  } finally {
    await close();
  }
}

/** What has begun may take a moment to end. */
async function judgeSoon(scene: Scene, { judge }: Incident): Promise<readonly string[]> {
  let left: readonly string[] = [];
  await waitUntil('It is not over', async () => (left = await judge(scene)).length === 0).catch(() => {});
  return left;
}

async function leaveToPerson(
  scene: Scene,
  incident: Incident,
  say: (line: string) => void,
): Promise<readonly string[]> {
  say(`Console   ${scene.url}/console, with the key ${scene.key}
Commands  export DUEWORK_API_URL=${scene.url} DUEWORK_API_KEY=${scene.key}
          npm run duework -- alerts
psql      ${scene.databaseUrl}
Docs      docs/how-to/${incident.page}\n`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    say('Find it, mend it, prove that it is over. Ctrl-C ends.');
    if (incident.others !== undefined) {
      await terminal.question(`Enter, when you want it: ${incident.others.do}\n`);
      await incident.others.run(scene);
    }
    for (;;) {
      await terminal.question('Enter, when you think that it is over.\n');
      const left = await incident.judge(scene);
      say(left.length === 0 ? 'It is over.' : left.join('\n'));
      if (left.length === 0) return left;
    }
  } finally {
    terminal.close();
  }
}
