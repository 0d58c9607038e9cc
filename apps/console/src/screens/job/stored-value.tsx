import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { callForText } from '../../api/call-api.js';
import { JsonText } from '../../json/json-text.js';
import { texts } from '../../texts/texts.js';
import { formatBytes } from '../../time/format-bytes.js';
import { Button, buttonLook } from '../../ui/inputs/button.js';
import { ProblemState } from '../../ui/problem-state.js';
import { findBytesApart } from './find-bytes-apart.js';
import { readJob } from './use-job.js';

const words = texts.job.apart;
/** More than this makes a page slow: it is saved to a file. */
const LONGEST_SHOWN = 500_000;

interface StoredValueProps {
  readonly id: string;
  readonly part: 'payload' | 'result';
  readonly json: string;
}

/** A payload or a result. One that is too large for its row is in the store of objects, and is read when you ask for it. */
export function StoredValue({ id, part, json }: StoredValueProps) {
  const [isAsked, setAsked] = useState(false);
  const bytes = findBytesApart(json);
  const { data, error, refetch } = useQuery({
    // not below the job, which is read again whenever it changes: an object never does
    queryKey: ['whole', id, json],
    queryFn: async ({ signal }) => readJob(await callForText('getJob', { params: { id, whole: true }, signal })),
    enabled: isAsked,
  });
  const label = texts.job[part];
  if (bytes === null) return <JsonText json={json} label={label} />;
  const whole = data?.raw.get(part);
  if (whole !== undefined)
    return whole.length > LONGEST_SHOWN ? (
      <FileLink text={whole} name={`job-${id}-${part}.json`} />
    ) : (
      <JsonText json={whole} label={label} />
    );
  if (error !== null) return <ProblemState error={error} onRetry={() => void refetch()} />;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
      {words.stored(formatBytes(bytes))}
      <Button disabled={isAsked} onClick={() => setAsked(true)}>
        {words.load(label)}
      </Button>
    </p>
  );
}

function FileLink({ text, name }: { readonly text: string; readonly name: string }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([text], { type: 'application/json' })), [text]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
      {words.long}
      <a href={url} download={name} className={buttonLook()}>
        {words.save(name)}
      </a>
    </p>
  );
}
