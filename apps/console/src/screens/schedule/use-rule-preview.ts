import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callApi } from '../../api/call-api.js';

const PAUSE_MS = 250;
const COUNT = 400;

/** What a rule means, asked for once nobody types for a moment. `isOld`: the answer is of another rule. */
export function useRulePreview(rule: Readonly<Record<string, string>>) {
  const name = JSON.stringify(rule);
  const [asked, ask] = useState(name);
  useEffect(() => {
    const timer = setTimeout(() => ask(name), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [name]);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['rule-preview', asked],
    queryFn: ({ signal }) =>
      callApi('previewSchedule', { body: { ...(JSON.parse(asked) as object), count: COUNT }, signal }),
    placeholderData: keepPreviousData,
  });
  return { data, error, isOld: isPlaceholderData || asked !== name };
}
