export default ({ orderId }) => console.log('receipt of order', orderId);
