import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { formatTable } from '../output/format-table.js';
import { type ContractsParts, ProblemsError } from './contracts-parts.js';

/** Where it is unless another file is named. */
const LOCK_FILE = 'contracts.lock.json';

/** `duework contracts …`: what a deploy asks before it begins. A refusal is an error whose message has a line for each problem. */
export function addContracts(program: Command, parts: ContractsParts): void {
  const contracts = program
    .command('contracts')
    .description('Check contracts against released versions and queued jobs');
  addCheck(contracts, parts);
  addLock(contracts, parts);
  addPush(contracts, parts);
  addDocs(contracts, parts);
}

function addCheck(contracts: Command, { catalog, db, write, progress }: ContractsParts): void {
  contracts
    .command('check')
    .description('Check what this code changes in released contracts; exit code 3: there are problems')
    .option('--lock <file>', 'the lock with all released versions', LOCK_FILE)
    .option('--database', 'also parse queued and scheduled payloads in DATABASE_URL; it only reads')
    .action(async ({ lock: file, database }: { lock: string; database?: true }) => {
      const { checkDatabasePayloads, checkLock, readLock } = await import('./contract-verbs.js');
      const lock = await readLock(file);
      if (lock === null) throw new ProblemsError([`${file} does not exist. Write it: npx duework contracts lock`]);
      const known = await catalog();
      const findings = [checkLock(known, lock)];
      if (database) findings.push(await checkDatabasePayloads(await db(), known, progress));
      write(findings.map(({ table }) => table).join('\n'));
      const problems = findings.flatMap((finding) => finding.problems);
      if (problems.length > 0) throw new ProblemsError(problems);
    });
}

function addLock(contracts: Command, { catalog, write }: ContractsParts): void {
  contracts
    .command('lock')
    .description('Write every version of the contracts to the lock; earlier versions stay in it')
    .option('--lock <file>', 'the lock', LOCK_FILE)
    .option('--check', 'write nothing; exit code 3: the lock is not up to date')
    .option('--retire <name...>', 'let the contracts drop this type, or type@version, which has no jobs left')
    .action(async ({ lock: file, check, retire = [] }: { lock: string; check?: true; retire?: string[] }) => {
      const { EMPTY_LOCK, formatLock, lockContracts, readLock } = await import('./contract-verbs.js');
      const previous = await readLock(file);
      const text = formatLock(lockContracts(await catalog(), previous ?? EMPTY_LOCK, { retire }));
      const isSame = previous !== null && formatLock(previous) === text;
      if (check && !isSame) throw new ProblemsError([`${file} is not up to date. Run: npx duework contracts lock`]);
      if (!isSame) await writeFile(file, text);
      write(isSame ? `${file} is up to date.\n` : `${file} is written: commit it.\n`);
    });
}

function addPush(contracts: Command, { catalog, db, write }: ContractsParts): void {
  contracts
    .command('push')
    .description('Write the versions of the contracts to the registry of DATABASE_URL')
    .action(async () => {
      const { pushContracts } = await import('./contract-verbs.js');
      const pushed = await pushContracts(await db(), await catalog());
      const rows = pushed.map(({ type, version }) => [type, String(version)]);
      write(formatTable(['NEW TYPE', 'VERSION'], rows, 'The registry knows every version.'));
    });
}

function addDocs(contracts: Command, { catalog, write }: ContractsParts): void {
  contracts
    .command('docs')
    .description('Write a Markdown page for each type')
    .option('--out <dir>', 'the folder to write to', 'docs/contracts')
    .option('--lock <file>', 'the lock, for versions that the contracts no longer read', LOCK_FILE)
    .action(async ({ out, lock }: { out: string; lock: string }) => {
      const { EMPTY_LOCK, readLock, writeDocs } = await import('./contract-verbs.js');
      const pages = await writeDocs(out, await catalog(), (await readLock(lock)) ?? EMPTY_LOCK);
      write(`${pages.map((page) => `${page}\n`).join('')}`);
    });
}
