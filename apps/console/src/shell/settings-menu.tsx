import { useSession } from '../session/session-store.js';
import { signOut } from '../session/sign-out.js';
import { usePrincipal } from '../session/use-principal.js';
import { texts } from '../texts/texts.js';
import { setTheme, useTheme } from '../theme/theme-store.js';
import { setZone, useZone } from '../time/zone-store.js';
import { MoonIcon, SunIcon } from '../ui/icons.js';
import { Menu, MenuChoice, MenuItem, MenuLine } from '../ui/inputs/menu.js';

/** Who is signed in, and how they like the console. */
export function SettingsMenu() {
  const { key } = useSession();
  const { data: principal } = usePrincipal();
  const theme = useTheme();
  const zone = useZone();
  const name = principal?.name ?? '…';
  return (
    <Menu
      label={texts.signIn.as(name)}
      kind="quiet"
      className="min-w-0 px-2!"
      trigger={
        <>
          {theme === 'dark' ? <MoonIcon className="shrink-0" /> : <SunIcon className="shrink-0" />}
          <span className="max-w-28 truncate max-md:sr-only">{name}</span>
        </>
      }
    >
      <p className="max-w-64 px-2 py-1 text-xs text-soft">
        {principal?.kind === 'local' ? texts.signIn.local : texts.signIn.as(name)}
        <br />
        {texts.signIn.scopes}: {principal?.scopes.join(', ')}
        {Array.isArray(principal?.types) && (
          <>
            <br />
            {texts.jobs.forTypes(principal.types)}
          </>
        )}
      </p>
      <MenuLine />
      <MenuChoice label={texts.theme.label} value={theme} options={texts.theme.options} onChange={setTheme} />
      <MenuLine />
      <MenuChoice label={texts.zone.label} value={zone} options={texts.zone.options} onChange={setZone} />
      {key !== null && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => void signOut()}>{texts.signIn.out}</MenuItem>
        </>
      )}
    </Menu>
  );
}
