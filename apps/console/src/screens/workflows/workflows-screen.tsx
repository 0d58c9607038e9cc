import { useWorkflows } from '../../api/workflow-queries.js';
import { snippets } from '../../texts/snippets.js';
import { texts } from '../../texts/texts.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { TypeSection } from './type-section.js';

const words = texts.workflows;

/** Durable types: at which steps their jobs gather, what they wait for, and which steps are slow. */
export function WorkflowsScreen() {
  const { data, error, refetch } = useWorkflows();
  usePageTitle(words.title);
  if (data === undefined) return error !== null && <ProblemState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <header className="border-b border-line px-5 pt-4 pb-3 max-md:px-4">
        <h1 className="text-lg font-semibold tracking-tight">{words.title}</h1>
        <p className="text-soft">
          {words.intro}
          {!data.isComplete && <span className="text-failed"> {words.incomplete}</span>}
        </p>
      </header>
      {data.types.length === 0 ? (
        <StateBox title={words.noneTitle}>
          <p>{words.noneHint}</p>
          <CopyableLines text={snippets.durable} />
        </StateBox>
      ) : (
        <div className="space-y-4 px-5 py-4 max-md:px-3">
          {data.types.map((type) => (
            <TypeSection key={type.type} type={type} />
          ))}
        </div>
      )}
    </>
  );
}
