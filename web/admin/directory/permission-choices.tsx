import { Checkbox } from '@mantine/core';
import { PERMISSION_AREAS, PERMISSION_WORDS } from '#contract/permission-words.ts';
import { PERMISSION_FLAGS, type Permission } from '#contract/permissions.ts';
import classes from '../admin.module.css';

const sentence = (may: string): string => may.charAt(0).toUpperCase() + may.slice(1);

/** Every permission in plain words, by area. With `role` given, what differs from it is said in words. */
export const PermissionChoices = ({
  chosen,
  choose,
  role,
  readOnly = false,
}: {
  chosen: readonly Permission[];
  choose: (permissions: Permission[]) => void;
  role?: readonly Permission[];
  readOnly?: boolean;
}) => (
  <div className={classes.areas}>
    {PERMISSION_AREAS.map((area) => (
      <fieldset key={area} className={classes.area}>
        <legend>{area}</legend>
        {PERMISSION_FLAGS.filter((flag) => PERMISSION_WORDS[flag].area === area).map((flag) => {
          const on = chosen.includes(flag);
          const differs = role && on !== role.includes(flag) ? (on ? 'added' : 'taken away') : null;
          return (
            <Checkbox
              key={flag}
              label={
                <>
                  {sentence(PERMISSION_WORDS[flag].may)}
                  {differs && <span className={classes.differs}> · {differs}</span>}
                </>
              }
              checked={on}
              disabled={readOnly}
              onChange={({ currentTarget }) =>
                choose(
                  PERMISSION_FLAGS.filter((other) => (other === flag ? currentTarget.checked : chosen.includes(other))),
                )
              }
            />
          );
        })}
      </fieldset>
    ))}
  </div>
);
