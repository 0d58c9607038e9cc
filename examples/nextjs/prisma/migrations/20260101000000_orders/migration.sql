CREATE TABLE "orders" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "cents" INTEGER NOT NULL,
    "receipt_sent_at" TIMESTAMPTZ,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);
