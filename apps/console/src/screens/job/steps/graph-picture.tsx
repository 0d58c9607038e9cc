import type { GraphJob } from '../../../api/use-steps.js';
import { texts } from '../../../texts/texts.js';
import { STATUS_LOOKS, StatusShape } from '../../../ui/marks/status-badge.js';
import { layOutGraph, type PlacedJob } from './lay-out-graph.js';
import { stateOfGraphJob } from './state-of-graph-job.js';

const words = texts.job.steps.graph;
const HEIGHT = 46;
const GAP = { x: 44, y: 14 };
const MARGIN = 2;
/** Of a letter, about. */
const LETTER = 7;
const MOST_LETTERS = 26;
/** A larger one says nothing to the eye; the list below tells all. */
const MOST_JOBS = 100;

interface GraphPictureProps {
  readonly jobs: readonly GraphJob[];
  readonly isOver: boolean;
}

/** A workflow as a picture: what comes before what, and how far each job is. The list beside it says the same in words. */
export function GraphPicture({ jobs, isOver }: GraphPictureProps) {
  if (jobs.length === 0 || jobs.length > MOST_JOBS) return null;
  const { placed, edges, columns, rows } = layOutGraph(jobs);
  const widths = Array.from({ length: columns }, (_, column) =>
    widthOf(
      placed.filter((one) => one.column === column).map(({ job }) => job),
      isOver,
    ),
  );
  const widthBefore = (column: number): number =>
    widths.slice(0, column).reduce((sum, width) => sum + width + GAP.x, MARGIN);
  const x = ({ column }: PlacedJob): number => widthBefore(column);
  const y = ({ row }: PlacedJob): number => MARGIN + row * (HEIGHT + GAP.y);
  const size = {
    width: widthBefore(columns) - GAP.x + MARGIN,
    height: 2 * MARGIN + rows * (HEIGHT + GAP.y) - GAP.y,
  };
  return (
    // what scrolls has to be scrolled by keys, too
    <div tabIndex={0} role="group" aria-label={words.title} className="overflow-x-auto pb-2">
      <svg {...size} role="img" aria-label={describe(jobs, isOver)} className="block max-w-none">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0.5 7.5 4 0 7.5z" className="fill-faint" />
          </marker>
        </defs>
        {edges.map(({ from, to }) => {
          const [x1, y1] = [x(from) + widths[from.column]!, y(from) + HEIGHT / 2];
          const [x2, y2] = [x(to) - 2, y(to) + HEIGHT / 2];
          const bend = Math.max(GAP.x / 2, (x2 - x1) / 2);
          return (
            <path
              key={`${from.job.name}/${to.job.name}`}
              d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
              fill="none"
              strokeWidth="1.5"
              markerEnd="url(#arrow)"
              className="stroke-faint"
            />
          );
        })}
        {placed.map((node) => (
          <Node
            key={node.job.name}
            job={node.job}
            isOver={isOver}
            x={x(node)}
            y={y(node)}
            width={widths[node.column]!}
          />
        ))}
      </svg>
    </div>
  );
}

/** Of a column: as wide as its longest words. */
function widthOf(jobs: readonly GraphJob[], isOver: boolean): number {
  const longest = Math.max(...jobs.map((job) => Math.max(job.name.length, stateOfGraphJob(job, isOver).words.length)));
  return 42 + Math.min(longest, MOST_LETTERS) * LETTER;
}

interface NodeProps {
  readonly job: GraphJob;
  readonly isOver: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function Node({ job, isOver, x, y, width }: NodeProps) {
  const state = stateOfGraphJob(job, isOver);
  const name = job.name.length > MOST_LETTERS ? `${job.name.slice(0, MOST_LETTERS - 1)}…` : job.name;
  return (
    <g transform={`translate(${x} ${y})`} className={STATUS_LOOKS[state.look].text}>
      <title>{`${job.name}: ${state.words}`}</title>
      {/* a list is a pile */}
      {job.isEach && (
        <rect
          x="3"
          y="3"
          width={width - 3}
          height={HEIGHT - 3}
          rx="6"
          className="fill-surface stroke-current opacity-60"
        />
      )}
      <rect
        width={width - 3}
        height={HEIGHT - 3}
        rx="6"
        strokeWidth="1.25"
        className={`stroke-current ${STATUS_LOOKS[state.look].fill}`}
      />
      <g transform="translate(11 16)">
        <StatusShape status={state.look} />
      </g>
      <text x="30" y="19" className="fill-ink text-xs font-medium">
        {name}
      </text>
      <text x="30" y="34" className="fill-current text-2xs">
        {state.words}
      </text>
    </g>
  );
}

const describe = (jobs: readonly GraphJob[], isOver: boolean): string =>
  jobs.map((job) => words.job(job.name, job.after, stateOfGraphJob(job, isOver).words)).join('; ');
