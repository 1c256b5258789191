import { Text } from '@mantine/core';
import { counted } from '#contract/counted.ts';
import { conditionsInWords } from '#contract/hl7-program-words.ts';
import type { AdminProgram } from '#contract/hl7-programs.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { AddButton } from '../add-button.tsx';
import { AdminPage } from '../admin-page.tsx';
import { programsQuery } from '../admin-queries.ts';
import { Opener } from '../opener.tsx';
import { useEditedList } from '../use-edited-list.ts';
import classes from './hl7-programs.module.css';
import { ProgramDrawer } from './program-drawer.tsx';

const SHOWN = 120;
const short = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

const Definition = ({ program }: { program: AdminProgram }) => (
  <ul className={classes.definition}>
    {conditionsInWords(program).map(([label, value]) => (
      <li key={label}>
        {label}: {short(value)}
      </li>
    ))}
  </ul>
);

/** The organization's HL7-based programs. */
export const ProgramsPage = () => {
  const { list: programs, editing, form } = useEditedList(programsQuery);
  return (
    <AdminPage
      title="HL7 programs"
      lead="A discharge that meets a program's conditions, as the stay's messages report them, enrolls the patient. Enrollment ends automatically."
      message={editing.message}
      dismissMessage={editing.dismissMessage}
      action={<AddButton label="Add program" ready={programs.data !== undefined} add={() => editing.edit('new')} />}
    >
      <Loaded query={programs} what="programs">
        {(all) =>
          all.length === 0 ? (
            <Text>No programs yet. Add one for a bundled payment, a transition program or a follow-up.</Text>
          ) : (
            <CardTable
              label="HL7 programs"
              rows={all}
              columns={[
                ['Name', (program) => <Opener name={program.hl7BasedProgramName} open={() => editing.edit(program)} />],
                ['Conditions', (program) => <Definition program={program} />],
                ['Validity period', ({ validityPeriod }) => counted(validityPeriod, 'day')],
              ]}
            />
          )
        }
      </Loaded>
      {form && <ProgramDrawer key={form.key} program={form.entry} {...form.handlers} />}
    </AdminPage>
  );
};
