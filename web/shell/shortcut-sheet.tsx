import { Kbd, Modal, Switch, Table } from '@mantine/core';
import { switchShortcuts } from '../session/preferences.ts';
import { useShortcutsOn } from '../ui/shortcuts.ts';

const SHORTCUTS: [keys: string[], what: string][] = [
  [['J', '↓'], 'Next ping or patient'],
  [['K', '↑'], 'Previous ping or patient'],
  [['Enter'], 'Open it'],
  [['Esc'], 'Back to the list'],
  [['E'], 'Resolve: choose a reason'],
  [['S'], 'Change the status'],
  [['Z'], 'Undo the last change'],
  [['/'], 'Search by name or identifier'],
  [['F'], 'Find a filter'],
  [['Shift', 'S'], 'Save what is filtered'],
  [['O'], 'Length of stay: only those over expected'],
  [['['], 'Narrow or widen the navigation'],
  [['?'], 'This list'],
];

/** What each key does, and the switch that turns single keys off. */
export const ShortcutSheet = ({ close }: { close: () => void }) => {
  const on = useShortcutsOn();
  return (
    <Modal opened onClose={close} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Switch
        label="Single-key shortcuts"
        description="Kept with your profile. Escape works in any case."
        checked={on}
        onChange={({ currentTarget }) => switchShortcuts(currentTarget.checked)}
        mb="md"
      />
      <Table stickyHeader={false}>
        <Table.Tbody>
          {SHORTCUTS.map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Td w={96}>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
};
