import { type ColorScheme, setColorScheme, useColorScheme } from '../ui/color-scheme.ts';
import { IconDeviceDesktop, IconMoon, IconSun } from '../ui/icons.ts';
import { Menu, MenuItem, MenuLabel } from '../ui/menu.tsx';
import { ActionIcon } from '../ui/plain/button.tsx';

const SCHEMES = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'System', IconDeviceDesktop],
] as const satisfies [ColorScheme, string, typeof IconSun][];

/** The color schemes, as items of a menu. */
export const ColorSchemeItems = () => {
  const colorScheme = useColorScheme();
  return (
    <>
      <MenuLabel>Theme</MenuLabel>
      {SCHEMES.map(([scheme, label, Icon]) => (
        <MenuItem
          key={scheme}
          checked={colorScheme === scheme}
          icon={<Icon size={16} stroke={1.75} aria-hidden />}
          choose={() => setColorScheme(scheme)}
        >
          {label}
        </MenuItem>
      ))}
    </>
  );
};

/** The color schemes, as a button of the header. */
export const ColorSchemeMenu = () => {
  const colorScheme = useColorScheme();
  const [, label, Icon] = SCHEMES.find(([scheme]) => scheme === colorScheme) ?? SCHEMES[2];
  return (
    <Menu
      label="Theme"
      trigger={(button) => (
        <ActionIcon {...button} aria-label={`Theme: ${label}`} title="Theme">
          <Icon size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      )}
    >
      <ColorSchemeItems />
    </Menu>
  );
};
