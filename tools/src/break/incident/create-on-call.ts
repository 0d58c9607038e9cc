import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { onEnd } from '../../kit/clean-up.js';
import { waitUntil } from '../../kit/wait-until.js';
import type { Incident, OnCall, Scene } from './incident.js';

const COMMAND = join(root, 'packages/cli/dist/main.js');
const LIMIT_MS = 120_000;
const EVERY_MS = 1_000;

/** Plays whoever is on call, with the command and a key for the API, and says each command with what it showed. */
export function createOnCall(scene: Scene, { others }: Incident, say: (line: string) => void) {
  let commands = 0;

  function tell(command: string, found: RegExpExecArray): RegExpExecArray {
    commands++;
    const line = found.input.split('\n').find((one) => one.includes(found[0].split('\n')[0]!)) ?? found[0];
    say(`$ duework ${command}\n  ${line.trim()}`);
    return found;
  }
  const onCall: OnCall = {
    scene,
    async see(command, sentence) {
      let shown = '';
      const found = await waitUntil(
        'It is not there',
        async () => {
          if (command === 'alerts') await scene.lookForAlerts();
          shown = await type(scene, command);
          return sentence.exec(shown);
        },
        { limitMs: LIMIT_MS, everyMs: EVERY_MS },
      ).catch(() => fail(command, sentence, shown));
      return tell(command, found);
    },
    async run(command, sentence) {
      const shown = await type(scene, command);
      return tell(command, sentence.exec(shown) ?? fail(command, sentence, shown));
    },
    async others() {
      say(`… ${others!.do}`);
      await others!.run(scene);
    },
  };
  return { onCall, commands: (): number => commands };
}

function fail(command: string, sentence: RegExp, shown: string): never {
  throw new Error(`duework ${command} does not show ${String(sentence)}:\n${shown}`);
}

/** What a command prints, whatever its exit code is. */
async function type({ url, key }: Scene, command: string): Promise<string> {
  const args = (command.match(/'[^']*'|\S+/g) ?? []).map((part) => part.replaceAll("'", ''));
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: root,
    env: { PATH, HOME, NO_COLOR: '1', DUEWORK_API_URL: url, DUEWORK_API_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const forget = onEnd(() => child.kill('SIGKILL'));
  let shown = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (shown += text));
  await new Promise((resolve) => child.once('close', resolve));
  forget();
  return shown;
}
