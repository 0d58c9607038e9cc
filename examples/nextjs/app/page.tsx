import type { ReactNode } from 'react';
import { order } from './actions';

export default function Page(): ReactNode {
  return (
    <form action={order}>
      <input name="email" type="email" placeholder="ada@example.com" required />
      <input name="cents" type="number" min="1" defaultValue="4200" required />
      <button>Order</button>
    </form>
  );
}
