import {
  classifyVersion,
  type ContractsLock,
  type JobContract,
  type JsonSchema,
  lockedVersions,
  readPayload,
  type RetryPolicy,
} from '@duework/contracts';
import { exampleOf } from './example-of.js';
import { fieldRows, typeWords } from './field-rows.js';

const CLASSES = {
  safe: 'safe',
  workers_first: 'safe for workers first',
  producers_first: 'safe for producers first',
  breaking: 'breaking',
} as const;

/** A Markdown page about one type: for those who enqueue it and those who look at its runs. */
export function describeContract(contract: JobContract, lock: ContractsLock): string {
  const { type, version, queue, queues, payloadJsonSchema: schema } = contract;
  const others = queues.filter((name) => name !== queue).map((name) => `\`${name}\``);
  const fields = fieldRows(schema);
  const example = exampleOf(schema);
  const reading = readPayload(contract, version, example);
  const parts = [
    `# ${type}`,
    typeof schema['description'] === 'string' ? schema['description'] : null,
    `Version ${version}, queue \`${queue}\`${others.length === 0 ? '' : ` (or ${others.join(', ')})`}, priority ${contract.priority} (0 is first).`,
    '## Payload',
    fields.length === 0
      ? `The payload is ${typeWords(schema)}.`
      : table(['field', 'type', 'required', 'rules', 'meaning'], fields),
    ...(reading.success ? ['An example:', fence('json', JSON.stringify(example, null, 2))] : []),
    '## Versions',
    table(['version', 'read', 'against the one before', 'what is different'], versionRows(contract, lock)),
    '## Attempts',
    `At most ${contract.maxAttempts}, each for at most ${duration(contract.timeoutMs)}. ${retryWords(contract.retry)}`,
    '## Idempotency key',
    keyWords(contract, reading.success ? reading.data : undefined),
    '## JSON Schema',
    fence('json', JSON.stringify(schema, null, 2)),
  ];
  return `${parts.filter((part) => part !== null).join('\n\n')}\n`;
}

function versionRows({ type, version: today, payloadJsonSchema, past }: JobContract, lock: ContractsLock): string[][] {
  const schemas = new Map<number, JsonSchema>([
    ...lockedVersions(lock, type).map(([version, { schema }]) => [version, schema] as const),
    ...Array.from(past, ([version, { payloadJsonSchema: schema }]) => [version, schema] as const),
    [today, payloadJsonSchema],
  ]);
  return [...schemas.keys()]
    .sort((a, b) => b - a)
    .map((version) => {
      const before = schemas.get(version - 1);
      const compared = before === undefined ? null : classifyVersion(before, schemas.get(version)!);
      const read = version === today ? 'today' : past.has(version) ? 'lifted' : 'no';
      return [
        String(version),
        read,
        compared === null ? '' : CLASSES[compared.class],
        compared?.reasons.join('; ') ?? '',
      ];
    });
}

function retryWords(retry: RetryPolicy): string {
  switch (retry.kind) {
    case 'fixed':
      return `After a failed one it waits ${duration(retry.delayMs)}.`;
    case 'exponential':
      return `After the first one fails it waits ${duration(retry.baseMs)}, then ${retry.factor} times as long each time, at most ${duration(retry.capMs)}.`;
    case 'quadratic':
      return `After failed attempt n it waits n² × ${duration(retry.unitMs)}, at most ${duration(retry.capMs)}.`;
    case 'delays':
      return `After failed ones it waits ${retry.delaysMs.map(duration).join(', ')}; the last delay repeats.`;
  }
}

function keyWords({ keyOf }: JobContract, example: unknown): string {
  if (keyOf === null) return 'None, unless the caller passes one.';
  try {
    if (example !== undefined) return `Made of the payload: \`${keyOf(example)}\` for the example.`;
  } catch {
    // the example is made up: a key may not be possible for it
  }
  return 'Made of the payload.';
}

function duration(ms: number): string {
  const [unit, size] = (
    [
      ['d', 86_400_000],
      ['h', 3_600_000],
      ['min', 60_000],
      ['s', 1_000],
    ] as const
  ).find(([, each]) => ms >= each && ms % each === 0) ?? ['ms', 1];
  return `${ms / size} ${unit}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
