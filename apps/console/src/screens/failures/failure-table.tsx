import { Fragment, useRef, useState } from 'react';
import { useCodeVersions, type FailureGroup, type FailureList } from '../../api/failure-queries.js';
import { BulkDialog } from '../../bulk/bulk-dialog.js';
import { useMay } from '../../session/use-principal.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { classNames } from '../../ui/class-names.js';
import { FailureDetail } from './failure-detail.js';
import { FailureRow } from './failure-row.js';
import { StepHeader } from './step-header.js';

const words = texts.failures;

interface FailureTableProps {
  readonly data: FailureList;
  /** What is shown is of another time or type. */
  readonly isStale: boolean;
  readonly onType: (type: string) => void;
}

const keyOf = ({ type, fingerprint }: FailureGroup): string => `${type} ${fingerprint}`;

/** A line per error and type; its cells are steps of time. A line opens to what is known of it. */
export function FailureTable({ data, isStale, onType }: FailureTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [opened, open] = useState<string | null>(null);
  const [retried, retry] = useState<string | null>(null);
  const mayOperate = useMay('operate');
  const codeVersions = useCodeVersions();
  const most = Math.max(1, ...data.groups.flatMap(({ counts }) => counts));
  function go(step: 1 | -1): void {
    const lines = [...(body.current?.querySelectorAll<HTMLElement>('[data-line]') ?? [])];
    const at = lines.indexOf(document.activeElement as HTMLElement);
    lines[Math.min(lines.length - 1, Math.max(0, at + step))]?.focus();
  }
  useShortcuts([
    { keys: 'j', words: texts.keys.next, group: 'here', run: () => go(1) },
    { keys: 'k', words: texts.keys.previous, group: 'here', run: () => go(-1) },
  ]);
  return (
    <>
      <table
        role="table"
        aria-label={words.title}
        className={classNames('w-full table-fixed border-collapse max-md:block', isStale && 'opacity-60')}
      >
        <thead role="rowgroup" className="max-md:sr-only">
          <tr role="row" className="border-b border-line text-left text-xs text-faint">
            <th role="columnheader" scope="col" className="px-5 py-1.5 font-medium">
              {words.column.error}
            </th>
            <th role="columnheader" scope="col" className="w-36 px-3 font-medium max-lg:w-28">
              {words.column.jobs}
            </th>
            <th role="columnheader" scope="col" className="w-[30%] px-3 font-medium">
              <StepHeader data={data} />
            </th>
            <th role="columnheader" scope="col" className="w-28 px-3 font-medium">
              {words.column.last}
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body} className="max-md:block">
          {data.groups.map((group) => {
            const key = keyOf(group);
            return (
              <Fragment key={key}>
                <FailureRow
                  group={group}
                  data={data}
                  most={most}
                  isOpen={opened === key}
                  onOpen={() => open(opened === key ? null : key)}
                  onType={() => onType(group.type)}
                />
                {opened === key && (
                  <tr role="row" className="border-b border-line bg-sunken max-md:block">
                    <td role="cell" colSpan={4} className="px-5 py-3 max-md:block max-md:px-4">
                      <FailureDetail
                        group={group}
                        data={data}
                        codeVersions={codeVersions}
                        onRetry={mayOperate ? (status) => retry(filterOf(status, group, data)) : null}
                      />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {retried !== null && <BulkDialog verb="retry" filter={retried} onClose={() => retry(null)} />}
    </>
  );
}

/** Of the time that is shown alone: what is older was not counted. */
export const filterOf = (status: 'dead' | 'failed', { filter }: FailureGroup, { since }: FailureList): string =>
  `status:${status} ${filter} since:${since}`;
