import { useState, type FormEvent } from 'react';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { Dialog } from '../../ui/dialog.js';
import { StarIcon } from '../../ui/icons.js';
import { Menu, MenuItem, MenuLine } from '../../ui/inputs/menu.js';
import { removeView, saveView, useViews, type View } from './view-store.js';

interface ViewsMenuProps {
  readonly current: Omit<View, 'name'>;
  readonly onView: (view: View) => void;
}

/** The saved views: to go to, to save what is shown, to remove. */
export function ViewsMenu({ current, onView }: ViewsMenuProps) {
  const views = useViews();
  const [isSaving, setSaving] = useState(false);
  const [name, setName] = useState('');
  const same = views.find(({ filter, columns }) => filter === current.filter && columns === current.columns);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() === '') return;
    saveView({ ...current, name: name.trim() });
    setName('');
    setSaving(false);
  }
  return (
    <>
      <Menu
        label={texts.jobs.views}
        kind="quiet"
        trigger={
          <>
            <StarIcon />
            {same?.name ?? texts.jobs.views}
          </>
        }
      >
        {views.map((view) => (
          <MenuItem key={view.name} onSelect={() => onView(view)}>
            {view.name}
          </MenuItem>
        ))}
        {views.length === 0 && <p className="max-w-56 px-2 py-1 text-xs text-soft">{texts.jobs.noViews}</p>}
        <MenuLine />
        <MenuItem onSelect={() => setSaving(true)}>{texts.jobs.saveView}</MenuItem>
        {same !== undefined && (
          <MenuItem onSelect={() => removeView(same.name)}>{texts.jobs.remove(same.name)}</MenuItem>
        )}
      </Menu>
      <Dialog isOpen={isSaving} onClose={() => setSaving(false)} title={texts.jobs.saveView}>
        <form onSubmit={submit} className="flex flex-col gap-3">
          <code className="font-mono text-xs text-soft">{current.filter || texts.jobs.all}</code>
          <label className="flex flex-col gap-1">
            {texts.jobs.viewName}
            <input
              value={name}
              onChange={({ target }) => setName(target.value)}
              className="h-9 rounded-md border border-line-strong bg-surface px-3"
            />
          </label>
          <Button kind="primary" type="submit" className="self-end">
            {texts.jobs.save}
          </Button>
        </form>
      </Dialog>
    </>
  );
}
