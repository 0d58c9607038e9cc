import { Link } from '@tanstack/react-router';
import { useQueueBehind } from '../../session/use-refusal.js';
import { texts } from '../../texts/texts.js';

const words = texts.overview.lacking;

/** Where nothing of the past is kept: what there is instead, and what else this queue has not, each in a sentence. */
export function Lacking({ why }: { readonly why: string }) {
  const queue = useQueueBehind();
  const others = new Set((queue?.refuses ?? []).map((one) => one.why).filter((one) => one !== why));
  return (
    <section className="mt-5">
      <h2 className="mb-1 text-sm font-semibold">{words.title(queue?.kind ?? null)}</h2>
      <p className="text-soft">
        {why}{' '}
        <Link to="/queues" className="linked">
          {texts.screens.queues}
        </Link>{' '}
        <Link to="/jobs" search={{ filter: 'status:dead', cursor: undefined, columns: undefined }} className="linked">
          {words.dead}
        </Link>
      </p>
      <h3 className="mt-4 mb-1 text-xs font-medium text-faint">{words.others}</h3>
      <ul className="list-inside list-disc space-y-1 text-soft">
        {[...others].map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </section>
  );
}
