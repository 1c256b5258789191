import { Checkbox } from '@mantine/core';
import { PERMISSION_AREAS, PERMISSION_WORDS } from '#contract/permission-words.ts';
import { PERMISSION_FLAGS, type Permission } from '#contract/permissions.ts';
import classes from '../admin.module.css';

const sentence = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1);

/** A checkbox for every permission, by area. If `role` is given, permissions that differ from the role's are marked. */
export const PermissionChoices = ({
  selected,
  select,
  role,
  readOnly = false,
}: {
  selected: readonly Permission[];
  select: (permissions: Permission[]) => void;
  role?: readonly Permission[];
  readOnly?: boolean;
}) => (
  <div className={classes.areas}>
    {PERMISSION_AREAS.map((area) => (
      <fieldset key={area} className={classes.area}>
        <legend>{area}</legend>
        {PERMISSION_FLAGS.filter((flag) => PERMISSION_WORDS[flag].area === area).map((flag) => {
          const on = selected.includes(flag);
          const difference = role && on !== role.includes(flag) ? (on ? 'added' : 'removed') : null;
          return (
            <Checkbox
              key={flag}
              label={
                <>
                  {sentence(PERMISSION_WORDS[flag].action)}
                  {difference && <span className={classes.differs}> · {difference}</span>}
                </>
              }
              checked={on}
              disabled={readOnly}
              onChange={({ currentTarget }) =>
                select(
                  PERMISSION_FLAGS.filter((other) =>
                    other === flag ? currentTarget.checked : selected.includes(other),
                  ),
                )
              }
            />
          );
        })}
      </fieldset>
    ))}
  </div>
);
