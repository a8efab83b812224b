using UnityEngine;

namespace LevelExporter.Samples
{
    /// <summary>Walks with the arrow keys or W A S D, and is stopped by the level's colliders.</summary>
    public sealed class Hero : MonoBehaviour
    {
        [SerializeField] private float speed = 5.5f;

        private Rigidbody2D body;

        public GridCell Cell => Game.Current.Level.CellAt(transform.position);

        private void Awake()
        {
            Sprites.Show(gameObject, "hero");
            body = gameObject.AddComponent<Rigidbody2D>();
            body.gravityScale = 0;
            body.freezeRotation = true;
            // A circle slides past corners.
            gameObject.AddComponent<CircleCollider2D>().radius = 0.3f;
        }

        private void FixedUpdate()
        {
#if UNITY_6000_0_OR_NEWER
            body.linearVelocity = Keys.Direction * speed;
#else
            body.velocity = Keys.Direction * speed;
#endif
        }

        private void LateUpdate()
        {
            Game.Current.Fog.LookFrom(Cell);
            Camera.main.orthographic = true;
            Camera.main.orthographicSize = 8;
            Camera.main.transform.position = transform.position + Vector3.back * 10;
        }
    }
}
