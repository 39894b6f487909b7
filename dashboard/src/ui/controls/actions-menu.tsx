import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';

export interface MenuAction {
  label: string;
  isDanger?: boolean;
  onChoose: () => void;
}

/** A row's actions menu. `name` is the button's label. */
export function ActionsMenu(props: { name: string; actions: readonly MenuAction[] }): ReactNode {
  const { name, actions } = props;
  const button = useRef<HTMLButtonElement>(null);

  // Focuses the button first: a dialog that the action opens returns the focus to it, since the
  // menu item is gone by then.
  function choose({ onChoose }: MenuAction): void {
    button.current?.focus();
    onChoose();
  }

  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" aria-label={name}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item
            key={action.label}
            {...(action.isDanger === true ? { color: 'red' } : {})}
            onClick={() => choose(action)}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
