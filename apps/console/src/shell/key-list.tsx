import { texts } from '../texts/texts.js';
import { Button } from '../ui/inputs/button.js';
import { Dialog } from '../ui/dialog.js';
import { KeyHint } from '../ui/key-hint.js';
import { useAllShortcuts, type Shortcut } from './shortcuts.js';

/** What `?` shows: the keys of this screen and those of all of them. */
export function KeyList({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const all = useAllShortcuts();
  const groups = [
    [texts.keys.here, all.filter(({ group }) => group === 'here')],
    [texts.keys.everywhere, all.filter(({ group }) => group === 'everywhere')],
  ] as const;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.keys.title}>
      {groups.map(([title, shortcuts]) => shortcuts.length > 0 && <Group key={title} {...{ title, shortcuts }} />)}
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>{texts.app.close}</Button>
      </div>
    </Dialog>
  );
}

function Group({ title, shortcuts }: { readonly title: string; readonly shortcuts: readonly Shortcut[] }) {
  return (
    <section className="mt-3">
      <h3 className="mb-1 text-xs font-medium text-faint">{title}</h3>
      <dl>
        {shortcuts.map(({ keys, words }) => (
          <div key={keys} className="flex items-center justify-between border-b border-line py-1.5 last:border-0">
            <dt>{words}</dt>
            <dd>
              <KeyHint keys={keys.replace('Enter', '↵')} />
            </dd>
          </div>
        ))}
        {title === texts.keys.everywhere && (
          <div className="flex items-center justify-between py-1.5">
            <dt>{texts.keys.palette}</dt>
            <dd>
              <KeyHint keys="⌘ K" />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
