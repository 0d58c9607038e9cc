import { useNavigate } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';

const words = texts.compare;

/** Asks for the id of the job to compare with. */
export function OtherForm({ id, other }: { readonly id: string; readonly other: string | null }) {
  const navigate = useNavigate();
  const [typed, type] = useState<string | null>(null);
  const value = typed ?? other ?? '';
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const given = value.trim();
    if (given === '') return;
    type(null);
    void navigate({ to: '/jobs/$id/compare', params: { id }, search: { with: given } });
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
      <label className="flex items-center gap-2 text-sm text-soft">
        {words.with}
        <input
          value={value}
          onChange={({ target }) => type(target.value)}
          spellCheck={false}
          className="h-7 w-44 rounded-md border border-line bg-surface px-2 font-mono text-xs text-ink hover:border-line-strong pointer-coarse:h-10"
        />
      </label>
      <Button type="submit">{words.go}</Button>
    </form>
  );
}
