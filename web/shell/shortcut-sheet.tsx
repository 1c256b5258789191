import { Kbd, Switch, Table } from '@mantine/core';
import { useState } from 'react';
import { switchShortcuts } from '../session/preferences.ts';
import type { CommandId } from '../ui/command-keys.ts';
import { COMMAND_IDS, COMMAND_WORDS, PLACES, printedKeys } from '../ui/command-words.ts';
import { availableCommands } from '../ui/commands.ts';
import { Modal } from '../ui/modal.tsx';
import { useShortcutsOn } from '../ui/shortcuts.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';

/** One after the other, or each by itself. */
const Keys = ({ id }: { id: CommandId }) => {
  const ways = printedKeys(id);
  const shown = ways.length > 2 ? [ways[0] as string[], ['–'], ways.at(-1) as string[]] : ways;
  return shown.flat().map((key) =>
    key === '–' ? (
      <span key={key}>– </span>
    ) : (
      <Kbd key={key} mr={4}>
        {key}
      </Kbd>
    ),
  );
};

/** The keyboard shortcuts, from the list that also binds them, with a switch that turns single keys off. */
export const ShortcutSheet = ({ close }: { close: () => void }) => {
  useReturnFocus();
  const on = useShortcutsOn();
  const [available] = useState(availableCommands);
  const shown = COMMAND_IDS.filter(
    // Pages that the user can't open have no key.
    (id) => printedKeys(id).length > 0 && (COMMAND_WORDS[id].place !== 'Go to' || available.has(id)),
  );
  return (
    <Modal opened onClose={close} title="Keyboard shortcuts">
      <Switch
        label="Single-key shortcuts"
        description="Saved to your profile. Esc always works."
        checked={on}
        onChange={({ currentTarget }) => switchShortcuts(currentTarget.checked)}
        mb="md"
      />
      {PLACES.map((place) => {
        const ids = shown.filter((id) => COMMAND_WORDS[id].place === place);
        return (
          ids.length > 0 && (
            <Table key={place} stickyHeader={false} mb="sm">
              <Table.Caption style={{ captionSide: 'top', textAlign: 'start' }} mt={0}>
                {place}
              </Table.Caption>
              <Table.Tbody>
                {ids.map((id) => (
                  <Table.Tr key={id}>
                    <Table.Td w={112}>
                      <Keys id={id} />
                    </Table.Td>
                    <Table.Td>{COMMAND_WORDS[id].label}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        );
      })}
    </Modal>
  );
};
