import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '../ui/icons.ts';

const SCHEMES = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'As the system', IconDeviceDesktop],
] as const satisfies [MantineColorScheme, string, typeof IconSun][];

/** The three colour schemes, as items of a menu. */
export const ColorSchemeItems = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Colours</Menu.Label>
      {SCHEMES.map(([scheme, label, Icon]) => (
        <Menu.Item
          key={scheme}
          role="menuitemradio"
          aria-checked={colorScheme === scheme}
          fw={colorScheme === scheme ? 680 : undefined}
          leftSection={<Icon size={16} stroke={1.75} aria-hidden />}
          onClick={() => setColorScheme(scheme)}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  );
};

/** The same as a button of the header. */
export const ColorSchemeMenu = () => {
  const { colorScheme } = useMantineColorScheme();
  const [, label, Icon] = SCHEMES.find(([scheme]) => scheme === colorScheme) ?? SCHEMES[2];
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon aria-label={`Colours: ${label}`}>
          <Icon size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ColorSchemeItems />
      </Menu.Dropdown>
    </Menu>
  );
};
