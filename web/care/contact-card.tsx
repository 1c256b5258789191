import { Anchor, Badge, Button } from '@mantine/core';
import type { CareTeamRecord } from '#contract/care.ts';
import { Telephone } from '../patient/telephone.tsx';
import { formatDate } from '../ui/format/date.ts';
import { IconPhone } from '../ui/icons.ts';
import classes from './care.module.css';

const joined = (values: (string | null)[]): string => values.filter(Boolean).join(' · ');

/** A contact of the care team: who, from where, and how to reach them. */
export const ContactCard = ({ record, edit }: { record: CareTeamRecord; edit: (() => void) | null }) => (
  <li className={classes.card}>
    <div className={classes.cardHead}>
      <h3>{record.contactName}</h3>
      {record.isCalledFirst && (
        <Badge component="span" leftSection={<IconPhone size={14} stroke={1.75} aria-hidden />}>
          Call first
        </Badge>
      )}
    </div>
    {record.contactJobTitle && <span>{record.contactJobTitle}</span>}
    <span>{joined([record.program, record.groupName, record.organizationName])}</span>
    <span>{record.contactPhone ? <Telephone name="Phone" number={record.contactPhone} /> : 'No phone number'}</span>
    {record.contactEmail && (
      <span>
        Email ·{' '}
        <Anchor data-target underline="always" href={`mailto:${encodeURIComponent(record.contactEmail)}`}>
          {record.contactEmail}
        </Anchor>
      </span>
    )}
    {record.contactFax && <span className="tabular">Fax · {record.contactFax}</span>}
    <span className={classes.dim}>
      {record.hasCarePlan && 'Has a care plan · '}Added {formatDate(record.userCreatedDate)} · Updated{' '}
      {formatDate(record.modifiedAt)}
    </span>
    {edit && (
      <div className={classes.actions}>
        <Button size="xs" variant="default" aria-label={`Edit ${record.contactName}`} onClick={edit}>
          Edit
        </Button>
      </div>
    )}
  </li>
);
