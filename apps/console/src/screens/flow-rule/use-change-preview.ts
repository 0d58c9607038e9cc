import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Schemas } from '../../api/api-types.js';
import { callApi } from '../../api/call-api.js';
import { readRuleName, type FlowChange, type FlowRule } from '../../api/flow-queries.js';

const PAUSE_MS = 250;
const EVERY_MS = 3_000;

export interface ShownPreview {
  /** undefined: there is none yet, or nothing is changed. */
  readonly data: Schemas['FlowPreview'] | undefined;
  readonly error: Error | null;
  /** The answer is of another change. */
  readonly isOld: boolean;
}

/** What a change of a rule would do now, asked for once nobody types for a moment; null: all of it is taken back. */
export function useChangePreview({ name }: FlowRule, change: FlowChange | null | undefined): ShownPreview {
  const wanted = JSON.stringify(change);
  const [asked, ask] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => ask(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['flow-preview', name, asked],
    queryFn: ({ signal }) =>
      callApi('previewFlowRule', {
        params: readRuleName(name),
        body: { change: JSON.parse(asked!) as FlowChange | null },
        signal,
      }),
    enabled: asked !== undefined,
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  const isThere = change !== undefined && asked !== undefined;
  return {
    data: isThere ? data : undefined,
    error: isThere && asked === wanted ? error : null,
    isOld: isPlaceholderData || asked !== wanted,
  };
}
