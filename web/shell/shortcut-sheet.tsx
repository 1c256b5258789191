import { Kbd, Modal, Switch, Table } from '@mantine/core';
import { switchShortcuts } from '../session/preferences.ts';
import { useShortcutsOn } from '../ui/shortcuts.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';

const SHORTCUTS: [keys: string[], what: string][] = [
  [['J', '↓'], 'Next ping or patient'],
  [['K', '↑'], 'Previous ping or patient'],
  [['Enter'], 'Open'],
  [['Esc'], 'Back to the list'],
  [['E'], 'Resolve: choose a reason'],
  [['1', '…', '6'], 'Choose a reason while resolving'],
  [['S'], 'Change status'],
  [['X'], 'Select ping for a change of several; Shift with J or K selects on'],
  [['Z'], 'Undo last change'],
  [['1', '2', '3'], 'Pages of the patient: story, care team, case management'],
  [['T'], 'Edit tags'],
  [['L'], 'Log a contact'],
  [['/'], 'Search by name or identifier'],
  [['F'], 'Find a filter'],
  [['Shift', 'S'], 'Save filter'],
  [['O'], 'Length of stay: over expected only'],
  [['['], 'Collapse or expand sidebar'],
  [['?'], 'Show keyboard shortcuts'],
];

/** The keyboard shortcuts, with a switch that turns single keys off. */
export const ShortcutSheet = ({ close }: { close: () => void }) => {
  useReturnFocus();
  const on = useShortcutsOn();
  return (
    <Modal opened onClose={close} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Switch
        label="Single-key shortcuts"
        description="Saved to your profile. Esc always works."
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
