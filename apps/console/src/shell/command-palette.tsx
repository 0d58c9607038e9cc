import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useQueueBehind } from '../session/use-refusal.js';
import { texts } from '../texts/texts.js';
import { setTheme, THEMES } from '../theme/theme-store.js';
import { Dialog } from '../ui/dialog.js';
import { Choices, useChoices } from '../ui/inputs/choices.js';
import { useNavigation } from './navigation.js';

interface Command {
  readonly id: string;
  readonly words: string;
  readonly run: () => void;
}

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** ⌘K: to any screen, any job by its id, and the jobs of any filter. */
export function CommandPalette({ isOpen, onClose }: PaletteProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.palette.label} isTitleHidden className="p-0!">
      <Palette onClose={onClose} />
    </Dialog>
  );
}

function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const commands = useCommands(text.trim());
  const choices = useChoices(commands.length, (index) => {
    onClose();
    commands[index]!.run();
  });
  return (
    <>
      <input
        {...choices.inputProps}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          choices.select(0);
        }}
        aria-label={texts.palette.label}
        placeholder={texts.palette.placeholder}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-faint"
      />
      <Choices {...choices.listProps} label={texts.palette.label} className="max-h-[50vh] overflow-y-auto p-1.5">
        {commands.map(({ id, words }) => ({ id, content: words }))}
      </Choices>
      {commands.length === 0 && <p className="px-4 pb-4 text-soft">{texts.palette.empty}</p>}
    </>
  );
}

function useCommands(text: string): readonly Command[] {
  const navigate = useNavigate();
  const navigation = useNavigation();
  const ids = useQueueBehind()?.filters === null ? /^[1-9]\d*$/ : /^\S{2,}$/;
  const wanted = text.toLowerCase();
  const fits = ({ words }: Command): boolean => words.toLowerCase().includes(wanted);
  const fixed: Command[] = [
    ...navigation.map(({ to, words }) => ({ id: to, words, run: () => void navigate({ to }) })),
    ...THEMES.map((theme) => ({
      id: theme,
      words: `${texts.theme.label}: ${texts.theme.options[theme]}`,
      run: () => setTheme(theme),
    })),
  ];
  const typed: Command[] = [
    ...(ids.test(text)
      ? [
          {
            id: 'job',
            words: texts.palette.job(text),
            run: () => void navigate({ to: '/jobs/$id', params: { id: text } }),
          },
        ]
      : []),
    ...(text.includes(':') || text.startsWith('"')
      ? [
          {
            id: 'filter',
            words: texts.palette.filter(text),
            run: () => void navigate({ to: '/jobs', search: { filter: text, cursor: undefined, columns: undefined } }),
          },
        ]
      : []),
  ];
  return [...typed, ...fixed.filter(fits)];
}
