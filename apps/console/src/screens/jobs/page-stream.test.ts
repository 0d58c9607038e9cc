import { expect, test } from '@jest/globals';
import { type ListedJob, PageStream } from './page-stream.js';

const job = (id: string, status: ListedJob['status'] = 'queued') => ({ id, status }) as ListedJob;
const event = (ids: readonly string[], jobs: readonly ListedJob[]) => ({
  ids,
  jobs,
  nextCursor: null,
  complete: true,
  hint: null,
});

test('a change is put into the page before it, in the order that it tells', () => {
  const stream = new PageStream();
  expect(stream.read(event(['2', '1'], [job('2'), job('1')]))?.jobs).toEqual([job('2'), job('1')]);
  const changed = stream.read(event(['3', '2', '1'], [job('3'), job('1', 'running')]));
  expect(changed?.jobs).toEqual([job('3'), job('2'), job('1', 'running')]);
  expect(stream.read(event(['3', '1'], []))?.jobs).toEqual([job('3'), job('1', 'running')]);
});

test('a page that names a job which was never told has to be read', () => {
  const stream = new PageStream();
  stream.read(event(['2', '1'], [job('2'), job('1')]));
  expect(stream.read(event(['3', '2'], []))).toBeNull();
});
