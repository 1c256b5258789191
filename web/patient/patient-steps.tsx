import { ActionIcon, Button } from '@mantine/core';
import { experienceBase } from '#contract/experiences.ts';
import { useNavigate, useRouter } from '../router/hooks.ts';
import { inboxPath, patientPath, patientsPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import type { CommandId } from '../ui/command-keys.ts';
import { useCommands } from '../ui/commands.ts';
import { IconPrinter } from '../ui/icons.ts';
import { indexOf, listIndexOf } from './list-index.ts';
import { type PatientPage, patientPages } from './patient-links.tsx';
import classes from './patient-steps.module.css';
import { useNeighbors } from './use-neighbors.ts';

const PAGE_COMMANDS: Record<PatientPage, CommandId> = {
  '': 'patient.story',
  '/care-team': 'patient.care-team',
  '/case-management': 'patient.case-management',
  '/attachments': 'patient.attachments',
};

interface Props {
  patientId: string;
  /** The path of the page below the patient's story; empty for the story. */
  page?: string;
  /** What is printed: "Print story"; null where there is nothing to print. */
  print: string | null;
}

/** Back to the list, and on to the patients before and after this one in it, on the same page of theirs. */
export const PatientSteps = ({ patientId, page = '', print }: Props) => {
  const { user, can } = useSession();
  const router = useRouter();
  const navigate = useNavigate();
  const neighbors = useNeighbors(patientId);
  const { previous = null, next = null, position = 0, total = 0 } = neighbors ?? {};
  // The history keeps one entry for all patients of a list, so that one step leads back to it.
  const go = (id: string, to = page): void =>
    void navigate({
      to: `${patientPath(user, id)}${to}`,
      replace: true,
      state: { listIndex: listIndexOf(router.history) },
    });
  const back = (): void => {
    const list = listIndexOf(router.history);
    if (list >= 0) router.history.go(list - indexOf(router.history));
    else void navigate({ to: can('canViewPings') ? inboxPath(user) : patientsPath(user) });
  };
  useCommands({
    // Within a field or a layer, Escape closes that.
    'list.back': (event) => {
      const within = (event?.target as Element | undefined)?.closest?.(
        'input, textarea, select, [role="dialog"], [role="listbox"]',
      );
      if (!within) back();
    },
    'list.next': next ? () => go(next) : null,
    'list.previous': previous ? () => go(previous) : null,
    ...Object.fromEntries(
      patientPages(can).map(([to]) => [PAGE_COMMANDS[to], to === page ? null : () => go(patientId, to)]),
    ),
  });
  return (
    <nav className={classes.steps} aria-label="List" data-no-print>
      <Button size="compact-sm" variant="default" onClick={back}>
        Back<span className={classes.whither}> to the list</span>
      </Button>
      {neighbors && (
        <>
          <Button size="compact-sm" variant="default" disabled={!previous} onClick={() => previous && go(previous)}>
            Previous
          </Button>
          <span className={classes.position}>
            {position.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
          </span>
          <Button size="compact-sm" variant="default" disabled={!next} onClick={() => next && go(next)}>
            Next
          </Button>
        </>
      )}
      {print && experienceBase(user.applicationExperience) !== '/ehr' && (
        <ActionIcon className={classes.end} title={print} aria-label={print} onClick={() => window.print()}>
          <IconPrinter size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      )}
    </nav>
  );
};
