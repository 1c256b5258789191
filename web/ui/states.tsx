import { Button, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../api/error.ts';
import { IconAlertTriangle, IconEye } from './icons.ts';
import { Notice } from './notice.tsx';
import classes from './states.module.css';

/** Nothing to show, and why: what is missing, and at most one thing to do about it. */
export const Empty = ({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className={classes.empty}>
    {icon && <span className={classes.icon}>{icon}</span>}
    <Text fw={550}>{title}</Text>
    {children && (
      <Text c="dimmed" size="sm">
        {children}
      </Text>
    )}
    {action}
  </div>
);

/** The reader may not see this; it is not empty. */
export const NoPermission = ({ what, children }: { what: string; children?: ReactNode }) => (
  <Empty icon={<IconEye size={24} stroke={1.75} aria-hidden />} title={`You do not have access to ${what}.`}>
    {children} An administrator of your organisation can give it to you.
  </Empty>
);

const wordsOf = (error: unknown): string =>
  error instanceof ApiError
    ? error.message
    : error instanceof TypeError
      ? 'Tidings could not be reached. Check your connection.'
      : 'Something went wrong on this page.';

/** What failed, what is still safe, how to try again, and the id that support asks for. */
export const Failed = ({
  what,
  error,
  safe,
  retry,
}: {
  what: string;
  error: unknown;
  safe?: string;
  retry?: () => void;
}) => (
  <Notice role="alert" color="caution" icon={<IconAlertTriangle size={18} aria-hidden />} title={what} inset>
    <Text size="sm">
      {wordsOf(error)} {safe}
    </Text>
    {error instanceof ApiError && error.requestId && (
      <Text size="xs" className="tabular">
        Error id {error.requestId}
      </Text>
    )}
    {retry && (
      <Button mt="sm" size="xs" variant="default" onClick={retry}>
        Retry
      </Button>
    )}
  </Notice>
);

/** True once `ms` have gone by: nothing flashes up for what answers at once. */
const useAfter = (ms: number): boolean => {
  const [past, setPast] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPast(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return past;
};

/** Lines where rows will stand, after 200 ms; after 8 s, the offer to try again. */
export const RowsLoading = ({ rows, height, retry }: { rows: number; height: number; retry?: () => void }) => {
  const shown = useAfter(200);
  const long = useAfter(8000);
  return (
    <div aria-busy="true" role="group" aria-label="Loading">
      {long && retry && (
        <Notice role="status" color="gray" inset>
          Still loading.{' '}
          <Button size="compact-xs" variant="default" onClick={retry}>
            Retry
          </Button>
        </Notice>
      )}
      {shown &&
        Array.from({ length: rows }, (_, row) => (
          <div key={row} className={classes.row} style={{ height }}>
            <Skeleton h={12} w="46%" />
            <Skeleton h={12} w="68%" mt={10} />
          </div>
        ))}
    </div>
  );
};
