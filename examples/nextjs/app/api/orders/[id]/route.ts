import { prisma } from '../../../../lib/prisma';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const order = await prisma.order.findUnique({
    where: { id: Number((await params).id) },
    select: { id: true, receiptSentAt: true },
  });
  return order === null ? Response.json({ error: 'There is no such order.' }, { status: 404 }) : Response.json(order);
}
