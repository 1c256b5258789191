import { ActionIcon } from '@mantine/core';
import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { experienceBase } from '#contract/experiences.ts';
import type { Patient } from '#contract/patients.ts';
import { SIMILAR_NAMES } from '../../patient/use-similar-names.ts';
import { useSession } from '../../session/session.ts';
import { useCommands } from '../../ui/commands.ts';
import { IconPrinter } from '../../ui/icons.ts';
import { showToast } from '../../ui/toasts.tsx';
import { type LoadPage, loadAll } from './load-all.ts';
import classes from './print-button.module.css';

interface Props {
  /** How many rows the list has; null while unknown. */
  total: number | null;
  /** How many rows are on the page. */
  rows: number;
  load: LoadPage;
  /** Shows these rows instead of the page's while they are printed; null shows the page again. */
  show: (rows: readonly Patient[] | null) => void;
}

/** Prints when what is to be printed is on the page, with its marks for similar names. */
const usePrintOnceShown = (show: Props['show']) => {
  const [ready, setReady] = useState(false);
  const marking = useIsFetching({ queryKey: [SIMILAR_NAMES] }) > 0;
  useEffect(() => {
    if (!ready || marking) return;
    // In the frame after the next one, when the rows are laid out.
    const frame = requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        setReady(false);
        window.print();
      }),
    );
    return () => cancelAnimationFrame(frame);
  }, [ready, marking]);
  useEffect(() => {
    const restore = (): void => show(null);
    window.addEventListener('afterprint', restore);
    return () => window.removeEventListener('afterprint', restore);
  }, [show]);
  return () => setReady(true);
};

/** Prints all rows of the list, whatever page is shown. Not offered inside an EHR, where it would print the EHR's frame. */
export const PrintButton = ({ total, rows, load, show }: Props) => {
  const { user } = useSession();
  const [loading, setLoading] = useState(false);
  const printOnceShown = usePrintOnceShown(show);
  const print = async (): Promise<void> => {
    if (loading) return;
    setLoading(true);
    try {
      if (total !== null && total > rows) show(await loadAll(load, total));
      printOnceShown();
    } catch {
      showToast({
        type: 'warning',
        message: "Couldn't load all rows, so nothing was printed. Check your connection, then try again.",
      });
    } finally {
      setLoading(false);
    }
  };
  useCommands({ 'list.print': () => void print() });
  if (experienceBase(user.applicationExperience) === '/ehr') return null;
  return (
    <ActionIcon
      className={classes.button}
      title="Print list"
      aria-label="Print list"
      loading={loading}
      onClick={() => void print()}
    >
      <IconPrinter size={16} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
};
